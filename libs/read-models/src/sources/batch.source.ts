import { BATCH_CATEGORY, batchCodec, evolveBatch, noBatch, type BatchState } from '@tillstream/domain';
import { checkKnown, decoded, type StreamSource } from '../projections/row.projection.js';

export const batchSource: StreamSource<BatchState> = {
  category: BATCH_CATEGORY,
  initial: noBatch,
  check: (recorded) => checkKnown(batchCodec, recorded),
  evolve: (state, recorded) => evolveBatch(state, decoded(batchCodec, recorded)),
};
