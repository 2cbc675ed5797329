import type { OperationId } from '@tillstream/domain';
import type { Append, AppendResult } from '@tillstream/event-store';
import type { Clock } from '../ports/clock.port.js';
import type { IdempotencyStore } from './idempotency.port.js';
import type { RequestContext } from '../requests/request.types.js';

/** Another request reserved the same idempotency key first: nothing was appended. */
export class IdempotencyKeyTaken extends Error {
  override readonly name = 'IdempotencyKeyTaken';
}

/** How a request is appended: with its idempotency key in one durable step, or alone. */
export function appendWithKey(
  store: IdempotencyStore,
  clock: Clock,
  { merchant, idempotency: ticket }: RequestContext,
  stream: string,
  operationId: () => OperationId | undefined,
): { append?: (append: Append) => Promise<AppendResult> } {
  if (!ticket || ticket.earlierReservation) return {};
  const { key, fingerprint, commandId, replaces } = ticket;
  return {
    append: async (append) => {
      const decided = operationId();
      const record = {
        merchantId: merchant.id,
        key,
        fingerprint,
        commandId,
        stream,
        reservedAt: clock.now(),
        ...(decided !== undefined && { operationId: decided }),
      };
      const reserved = await store.reserve(record, append, replaces);
      if (reserved.kind === 'Taken') throw new IdempotencyKeyTaken();
      return reserved.result;
    },
  };
}
