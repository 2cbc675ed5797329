import { eventCodec } from '@tillstream/domain/shared';
import type { GiftCardEvent } from './gift-card.events.js';

/** Every event is in its first schema version. */
export const giftCardCodec = eventCodec<GiftCardEvent>({
  types: { CardIssued: [], CardRedeemed: [], RedemptionReversed: [] },
});
