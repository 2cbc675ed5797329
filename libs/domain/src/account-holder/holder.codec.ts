import { eventCodec } from '../shared/codec.js';
import type { HolderEvent } from './holder.events.js';

/** Frozen examples of each version are in `fixtures/`. */
export const holderCodec = eventCodec<HolderEvent>({
  types: {
    HolderCreated: [],
    HolderChanged: [],
    TokenLinked: [],
    HolderErased: [],
    HolderErasureFinished: [],
  },
});
