import type { OperationId } from '../shared/ids.js';
import { eventCodec } from '../shared/codec.js';
import type { Event } from '../payment/payment.events.js';

/**
 * A client's reference id is claimed in `reference-<merchantId>.<hash of it>` before the operation is requested. It binds
 * nothing by itself: a claim whose operation does not exist is ignored, and one reference may be claimed many times.
 */
export type ReferenceEvent = Event<
  'ReferenceClaimed',
  {
    readonly at: string;
    /** The stream that the operation will be in, and the command that begins it there. */
    readonly stream: string;
    readonly commandId: string;
    readonly operationId?: OperationId;
  }
>;

export const referenceCodec = eventCodec<ReferenceEvent>({ types: { ReferenceClaimed: [] } });

/** A look-up reads the last so many claims; a reference with more answers as if several fit. */
export const MAX_REFERENCE_CLAIMS = 50;

export const referenceStream = (merchantId: string, referenceHash: string): string =>
  `reference-${merchantId}.${referenceHash}`;
