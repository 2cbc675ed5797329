import { BATCH_CATEGORY, evolveBatch, noBatch, batchCodec, type BatchState } from '@tillstream/domain';
import { streamSource, type StreamSource } from '../projections/row.projection.js';

export const batchSource: StreamSource<BatchState> = streamSource(
  BATCH_CATEGORY,
  noBatch,
  batchCodec,
  evolveBatch,
);
