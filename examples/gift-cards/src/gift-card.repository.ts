import {
  deterministicEventId,
  readWholeStream,
  transact,
  type EventStore,
  type JsonObject,
  type NewEvent,
  type RecordedEvent,
} from '@tillstream/event-store';
import { giftCardCodec } from './gift-card.codec.js';
import type { GiftCardDecision, GiftCardRejection } from './gift-card.decide.js';
import type { GiftCardEvent } from './gift-card.events.js';
import { foldGiftCard, type GiftCardState } from './gift-card.state.js';

export const GIFT_CARD_CATEGORY = 'giftcard';

export type Result =
  | { readonly kind: 'Done'; readonly card: GiftCardState }
  | { readonly kind: 'Rejected'; readonly rejection: GiftCardRejection }
  /** Other requests were faster four times. Nothing was written; the client may repeat the request. */
  | { readonly kind: 'Conflict' };

/** Loads the stream of a card, decides, and appends under the revision that was decided on. */
export class GiftCardRepository {
  constructor(private readonly store: EventStore) {}

  async load(cardId: string): Promise<GiftCardState> {
    return foldGiftCard((await readWholeStream(this.store, streamName(cardId))).map(decoded));
  }

  async decide(cardId: string, command: (state: GiftCardState) => GiftCardDecision): Promise<Result> {
    const stream = streamName(cardId);
    const result = await transact(this.store, {
      stream,
      decide: (history) => {
        const value = command(foldGiftCard(history.map(decoded)));
        const events = value.kind === 'Accepted' ? value.events : [];
        return { value, events: events.map((event) => encoded(stream, event)) };
      },
    });
    if (result.kind === 'Conflict') return result;
    if (result.value.kind === 'Rejected') return { kind: 'Rejected', rejection: result.value.rejection };
    return { kind: 'Done', card: foldGiftCard(result.history.map(decoded)) };
  }
}

export function decoded({ type, metadata, data }: RecordedEvent): GiftCardEvent {
  return giftCardCodec.decode({ type, schemaVersion: Number(metadata['schemaVersion']), data });
}

export function cardIdOf(stream: string): string {
  return stream.slice(GIFT_CARD_CATEGORY.length + 1);
}

/** The id follows from the command: an append that is repeated writes nothing twice. */
function encoded(stream: string, event: GiftCardEvent): NewEvent {
  const { type, schemaVersion, data } = giftCardCodec.encode(event);
  const id = deterministicEventId(`${stream} ${event.data.commandId}`);
  return { id, type, data: data as JsonObject, metadata: { schemaVersion } };
}

function streamName(cardId: string): string {
  return `${GIFT_CARD_CATEGORY}-${cardId}`;
}
