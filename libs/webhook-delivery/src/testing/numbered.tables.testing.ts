import { Buffer } from 'node:buffer';
import { historyWitness, type EventStore, type Position } from '@tillstream/event-store';
import type {
  ClaimRequest,
  DeliveryStore,
  Finished,
  NumberingTables,
  SendingQueue,
} from '../delivery.store.port.js';
import type { AttemptResult, ClaimedBatch, StoredDelivery } from '../delivery.types.js';
import { NumberingConsumer } from '../numbering/numbering.consumer.js';
import type { BodySealer } from '../numbering/page.numbering.js';

/** Keeps the bytes readable, and bound to their event. */
export const plainSealer: BodySealer = {
  sealBody: (eventId, body) => Buffer.concat([Buffer.from(`${eventId}:`), body]),
};

export function openPlain(eventId: string, sealed: Uint8Array): string {
  const text = Buffer.from(sealed).toString();
  if (!text.startsWith(`${eventId}:`)) throw new Error(`sealed for another event than ${eventId}`);
  return text.slice(eventId.length + 1);
}

export const NOW = Date.UTC(2026, 2, 2);

export function numberingOf(
  store: EventStore,
  tables: NumberingTables,
  now: () => number = () => NOW,
): NumberingConsumer {
  return new NumberingConsumer({ store, tables, sealer: plainSealer, now, onDeliveries: () => undefined });
}

/** Numbers all events, in pages of the sizes that `nextSize` gives. `consumerOf` may give a new consumer for each page. */
export async function numberAll(
  store: EventStore,
  consumerOf: () => NumberingConsumer,
  nextSize: () => number = () => 100,
): Promise<void> {
  for (;;) {
    const consumer = consumerOf();
    const from: Position | undefined = (await consumer.checkpoint())?.position;
    const { events } = await store.readAll({
      categories: consumer.categories,
      limit: nextSize(),
      ...(from !== undefined && { after: from }),
    });
    const [first, ...rest] = events;
    if (!first) return;
    const last = rest.at(-1) ?? first;
    const page = { items: [first, ...rest] as const, from, to: last.position, witness: historyWitness(last) };
    const result = await consumer.handle(page);
    if (result.kind !== 'Moved') throw new Error(`the page was ${result.kind}`);
  }
}

/** All deliveries of an endpoint, in the order of their numbers. */
export async function allDeliveries(tables: DeliveryStore, endpointId: string): Promise<StoredDelivery[]> {
  const all: StoredDelivery[] = [];
  for (;;) {
    const page = await tables.list({ endpointId }, all.at(-1), 50);
    all.push(...page);
    if (page.length < 50) return all.toReversed();
  }
}

export async function claim(tables: SendingQueue, request: ClaimRequest): Promise<readonly ClaimedBatch[]> {
  const { claimed } = await tables.finishAndClaim([], [request]);
  return claimed.flat();
}

export async function finish(
  tables: SendingQueue,
  token: string,
  results: readonly AttemptResult[],
): Promise<Finished> {
  const { finished } = await tables.finishAndClaim([{ token, results }], []);
  const [first] = finished;
  if (!first) throw new Error('there is no answer for the results');
  return first;
}

/** What a receiver would get: claims everything that is due, without sending it. */
export async function claimAll(tables: DeliveryStore, endpointIds: readonly string[], service = NOW) {
  const claimed = await claim(tables, {
    endpointIds,
    perEndpointMax: 10_000,
    limit: 100_000,
    token: `claim all ${Math.random()}`,
    now: { service, real: 0 },
    leaseMs: 1_000,
  });
  return claimed.map(({ endpoint, deliveries }) => ({
    endpoint,
    deliveries: deliveries.map(({ body, ...delivery }) => ({
      ...delivery,
      body: openPlain(delivery.eventId, body),
    })),
  }));
}
