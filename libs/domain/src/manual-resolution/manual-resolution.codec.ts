import { eventCodec } from '../shared/codec.js';
import type { OperationId } from '../shared/ids.js';
import type { ResolutionEvent } from './manual-resolution.events.js';

/** Every type, with what lifts its older versions. Frozen examples of each version are in `fixtures/`. */
export const resolutionCodec = eventCodec<ResolutionEvent>({
  types: { InquiryForced: [], ResolutionProposed: [], ResolutionConfirmed: [] },
});

export const RESOLUTION_CATEGORY = 'resolution';

export const resolutionStream = (operationId: OperationId): string =>
  `${RESOLUTION_CATEGORY}-${operationId.slice('trx_'.length)}`;
