import {
  foldPayment,
  isPending,
  noPayment,
  PAYMENT_CATEGORY,
  paymentCodec,
  type PaymentEvent,
  type PaymentState,
} from '@tillstream/domain';
import type { EventStore, Position } from '@tillstream/event-store';
import { fromRecorded } from '@tillstream/payments';
import { openEventStoreAt } from '@tillstream/platform';
import type { PaymentHistory } from '../audit/histories.js';
import { poll } from '../support/concurrency.js';

/** All payments in a store, with the number of its events. */
export interface DrillHistory {
  readonly payments: readonly PaymentHistory[];
  /** Of all categories. */
  readonly events: number;
}

/** @param address as for `openEventStoreAt` */
export async function readHistory(address: string): Promise<DrillHistory> {
  const store = await openEventStoreAt(address, { readOnly: true });
  try {
    return await readAll(store);
  } finally {
    await store.close();
  }
}

async function readAll(store: EventStore): Promise<DrillHistory> {
  const payments = new Map<string, { events: PaymentEvent[]; state: PaymentState }>();
  let events = 0;
  let after: Position | undefined;
  for (;;) {
    const page = await store.readAll({ limit: 1_000, ...(after !== undefined && { after }) });
    events += page.events.length;
    for (const recorded of page.events) {
      if (!recorded.stream.startsWith(`${PAYMENT_CATEGORY}-`)) continue;
      const event = fromRecorded(paymentCodec, recorded);
      const known = payments.get(recorded.stream) ?? { events: [], state: noPayment };
      known.events.push(event);
      known.state = foldPayment([event], known.state);
      payments.set(recorded.stream, known);
    }
    if (page.end || page.next === undefined) break;
    after = page.next;
  }
  return { events, payments: [...payments].map(([stream, one]) => ({ stream, times: [], ...one })) };
}

/** The keys of all attempts that the history has requested. */
export function requestedKeys({ payments }: DrillHistory): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const { type, data } of payments.flatMap(({ events }) => events))
    if (type === 'TryRequested') keys.add(`${data.operationId}.${data.try}`);
  return keys;
}

/** Waits until every operation has an outcome. Returns the ids of those that have none in time. */
export async function untilResolved(address: string, timeoutMs: number): Promise<readonly string[]> {
  const look = async (): Promise<string[]> => {
    const { payments } = await readHistory(address);
    return payments.flatMap(({ state }) =>
      state.status === 'None' ? [] : state.operations.filter(isPending).map(({ id }) => id),
    );
  };
  return poll(look, (open) => open.length === 0, timeoutMs, 500);
}
