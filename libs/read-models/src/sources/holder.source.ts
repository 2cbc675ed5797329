import { evolveHolder, HOLDER_CATEGORY, holderCodec, noHolder, type HolderState } from '@tillstream/domain';
import { checkKnownEvent, decodeEvent, type StreamSource } from '../projections/row.projection.js';

export const holderSource: StreamSource<HolderState> = {
  category: HOLDER_CATEGORY,
  initial: noHolder,
  check: (recorded) => checkKnownEvent(holderCodec, recorded),
  evolve: (state, recorded) => evolveHolder(state, decodeEvent(holderCodec, recorded)),
};
