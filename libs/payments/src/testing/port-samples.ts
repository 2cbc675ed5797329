import { newEventId, type Append } from '@tillstream/event-store';
import type { IdempotencyRecord } from '../idempotency/idempotency.port.js';
import type { WorkItem } from '../work-queue/work-queue.port.js';

/* Records, appends and work items for the contract of the ports. */

export function record(key: string, commandId: string, reservedAt = 1_000): IdempotencyRecord {
  return {
    merchantId: 'mer_1',
    key,
    fingerprint: 'f'.repeat(64),
    commandId,
    stream: 'payment-A',
    reservedAt,
  };
}

export function append(stream: string): Append {
  return {
    stream,
    expected: 'none',
    events: [{ id: newEventId(), type: 'SaleRequested', data: {}, metadata: {} }],
  };
}

export function work(id: string, dueAt: number, clock: WorkItem['clock'] = 'Real'): WorkItem {
  const [kind, rest] = id.split(':') as [WorkItem['kind'], string];
  return { id, kind, subject: `trx_${rest}`, clock, dueAt, step: 0, since: 5 };
}
