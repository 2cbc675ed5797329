import { eventCodec } from '../shared/codec.js';
import type { ExternalIdEvent, HolderEvent } from './holder.events.js';

/** Every type, with what lifts its older versions. Frozen examples of each version are in `fixtures/`. */
export const holderCodec = eventCodec<HolderEvent>({
  types: {
    HolderCreated: [],
    HolderChanged: [],
    TokenLinked: [],
    HolderErased: [],
    HolderErasureFinished: [],
  },
});

/** As `holderCodec`, of `fixtures-externalid/`. */
export const externalIdCodec = eventCodec<ExternalIdEvent>({
  types: { ExternalIdClaimed: [], ExternalIdReleased: [] },
});
