import { HOLDER_CATEGORY, evolveHolder, noHolder, holderCodec, type HolderState } from '@tillstream/domain';
import { streamSource, type StreamSource } from '../projections/row.projection.js';

export const holderSource: StreamSource<HolderState> = streamSource(
  HOLDER_CATEGORY,
  noHolder,
  holderCodec,
  evolveHolder,
);
