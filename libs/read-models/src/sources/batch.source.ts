import { BATCH_CATEGORY, batchCodec, evolveBatch, noBatch, type BatchState } from '@tillstream/domain';
import { checkKnownEvent, decodeEvent, type StreamSource } from '../projections/row.projection.js';

export const batchSource: StreamSource<BatchState> = {
  category: BATCH_CATEGORY,
  initial: noBatch,
  check: (recorded) => checkKnownEvent(batchCodec, recorded),
  evolve: (state, recorded) => evolveBatch(state, decodeEvent(batchCodec, recorded)),
};
