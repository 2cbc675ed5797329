import type { OperationId } from '@tillstream/domain';
import type { Append, AppendResult } from '@tillstream/event-store';
import type { Clock } from '../ports/clock.port.js';
import type { IdempotencyRecord } from './idempotency.port.js';
import type { IdempotencyTicket } from './idempotency-keys.js';
import type { RequestContext } from '../requests/request.types.js';
import type { Ports } from '../parts.js';

/** Another request reserved the same idempotency key first: nothing was appended. */
export class IdempotencyKeyTaken extends Error {
  override readonly name = 'IdempotencyKeyTaken';
}

/** The append option of a request: reserves its idempotency key with the append. Empty if there is nothing to reserve. */
export function appendWithKey(
  { idempotency, clock }: Pick<Ports, 'idempotency' | 'clock'>,
  { merchant, idempotency: ticket }: RequestContext,
  stream: string,
  operationId: () => OperationId | undefined,
): { append?: (append: Append) => Promise<AppendResult> } {
  if (!ticket || ticket.earlierReservation) return {};
  return {
    append: async (append) => {
      const startedId = operationId();
      const record = {
        ...newIdempotencyRecord(merchant.id, ticket, stream, clock),
        ...(startedId !== undefined && { operationId: startedId }),
      };
      const reserved = await idempotency.reserve(record, append, ticket.replaces);
      if (reserved.kind === 'Taken') throw new IdempotencyKeyTaken();
      return reserved.result;
    },
  };
}

export function newIdempotencyRecord(
  merchantId: string,
  { key, fingerprint, commandId }: IdempotencyTicket,
  stream: string,
  clock: Clock,
): IdempotencyRecord {
  return { merchantId, key, fingerprint, commandId, stream, reservedAt: clock.now() };
}
