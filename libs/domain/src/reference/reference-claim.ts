import { eventCodec, type Event } from '../shared/aggregate.js';
import type { OperationId } from '../shared/ids.js';

export const referenceStream = (merchantId: string, referenceHash: string): string =>
  `reference-${merchantId}.${referenceHash}`;

/**
 * Storage: this shape never changes. Stream `reference-<merchantId>.<hash>`: a client's reference id is claimed before
 * the operation is requested. A claim alone has no effect: readers ignore it if its operation does not exist, and
 * several operations may claim one reference.
 */
export type ReferenceEvent = Event<
  'ReferenceClaimed',
  {
    readonly at: string;
    /** The stream in which the operation will be, and the command that requests it there. */
    readonly stream: string;
    readonly commandId: string;
    readonly operationId?: OperationId;
  }
>;

/** Frozen examples of each version are in `fixtures/`. */
export const referenceCodec = eventCodec<ReferenceEvent>({ types: { ReferenceClaimed: [] } });

/** A lookup reads only the last claims; a reference with more claims counts as ambiguous. */
export const MAX_REFERENCE_CLAIMS = 50;
