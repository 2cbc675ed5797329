import { evolveHolder, HOLDER_CATEGORY, holderCodec, noHolder, type HolderState } from '@tillstream/domain';
import { checkKnown, decoded, type StreamSource } from '../projections/row.projection.js';

export const holderSource: StreamSource<HolderState> = {
  category: HOLDER_CATEGORY,
  initial: noHolder,
  check: (recorded) => checkKnown(holderCodec, recorded),
  evolve: (state, recorded) => evolveHolder(state, decoded(holderCodec, recorded)),
};
