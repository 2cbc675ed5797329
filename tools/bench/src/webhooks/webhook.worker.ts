import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Position } from '@tillstream/event-store';
import { deliverySealer } from '@tillstream/platform';
import {
  AllowedAddresses,
  DeliverySender,
  type DeliveryEndpoint,
  type DeliveryStore,
} from '@tillstream/webhook-delivery';
import { DeliveryClient } from '@tillstream/webhook-delivery/client';
import { openSqliteDeliveryStore } from '@tillstream/webhook-delivery-sqlite';
import { newManagedSecret, signManaged } from '@tillstream/webhooks';

/*
 * A process that sends webhooks, without an event store: `webhooks.bench.ts` starts it with a task and sends the result
 * back. The deliveries, seals, signatures and connections are those of the dispatcher.
 */

const ENDPOINTS = 8;
const PER_ENDPOINT = 8;
const PAGE_EVENTS = 500;
const BODY_BYTES = 1_500;
const secret = newManagedSecret();
const [task = '', url = '', folder = '', events = '0', ms = '0'] = process.argv.slice(2);
const allowed = new AllowedAddresses(['127.0.0.0/8']);
const client = new DeliveryClient({ allowed });
/** The same in each process, since one reads what another one sealed. */
const sealer = deliverySealer(Buffer.alloc(32, 7));
const body = (id: string): Buffer =>
  Buffer.from(JSON.stringify({ event: { id }, originalResponse: { text: 'x'.repeat(BODY_BYTES) } }));

const endpoints: DeliveryEndpoint[] = Array.from({ length: ENDPOINTS }, (_, index) => ({
  id: `whe_${index}`,
  merchantId: `mer_${index}`,
  method: 'Managed',
  url: `${url}${index}`,
  eventTypes: ['*'],
  status: 'Enabled',
  secret,
  enabledAt: '2020-01-01T00:00:00.000Z',
  createdAt: '2020-01-01T00:00:00.000Z',
  updatedAt: '2020-01-01T00:00:00.000Z',
}));

async function fill(store: DeliveryStore, from: number, count: number): Promise<void> {
  let page = from;
  for (let done = 0; done < count; done += PAGE_EVENTS) {
    const numbered = Array.from({ length: Math.min(PAGE_EVENTS, count - done) }, (_, index) => {
      const sequence = from + done + index + 1;
      const eventId = `evt_${sequence}`;
      const deliveries = endpoints.map(({ id, enabledAt }) => ({
        ...{ deliveryId: `dlv_${id}_${sequence}`, hookId: `msg_${id}_${sequence}`, endpointId: id },
        ...{ hookSequence: sequence, status: 'Pending' as const },
        ...(enabledAt !== undefined && { enabledAt }),
      }));
      const sealed = sealer.sealBody(eventId, body(eventId));
      const about = { eventId, merchantId: 'mer_0', type: 'sale.completed', sequence, at: Date.now() };
      return { ...about, body: sealed, deliveries };
    });
    const at = page === 0 ? undefined : (String(page) as Position);
    page += numbered.length;
    const to = String(page) as Position;
    await store.record({
      ...{ from: at, to, witness: { stream: 'payment-1', revision: page, position: to } },
      endpoints: at === undefined ? endpoints.map((endpoint) => ({ kind: 'Put' as const, endpoint })) : [],
      ...{ sequences: new Map([['mer_0', page]]), events: numbered },
    });
  }
}

function openStore(): DeliveryStore {
  const directory = join(folder, 'webhooks');
  mkdirSync(folder, { recursive: true });
  return openSqliteDeliveryStore({ directory, source: 'bench', onDamage: () => undefined });
}

function startSender(queue: DeliveryStore, sent: () => void): DeliverySender {
  const sender = new DeliverySender({
    client: { post: (request) => client.post(request).finally(sent) },
    ...{ queue, userAgent: 'Tillstream-Webhooks/bench', random: Math.random, redact: (text: string) => text },
    clock: { now: () => Date.now(), realNow: () => Date.now() },
    seals: { ...sealer, openSecret: async (_id, sealed) => sealed },
    disabling: {
      disable: async () => true,
      log: { disabled: () => undefined, notDisabled: () => undefined },
    },
    health: { changed: () => undefined },
    log: { failing: (reason) => console.error(reason), recovered: () => undefined },
  });
  sender.start();
  return sender;
}

/** Deliveries a second of the sender, from a filled store. */
async function deliver(): Promise<{ readonly rate: number }> {
  const store = openStore();
  await fill(store, 0, Number(events));
  const wanted = Number(events) * ENDPOINTS;
  let sent = 0;
  const startedAt = performance.now();
  const sender = startSender(store, () => (sent += 1));
  while (sent < wanted) await sleep(2);
  const seconds = (performance.now() - startedAt) / 1_000;
  await sender.stop(1_000);
  return { rate: wanted / seconds };
}

/** The same bodies, signed and posted in a loop at the same concurrency. */
async function bare(): Promise<{ readonly rate: number }> {
  const wanted = Number(events) * ENDPOINTS;
  const bodies = Array.from({ length: Number(events) }, (_, index) => body(`evt_${index + 1}`));
  let next = 0;
  const startedAt = performance.now();
  const lane = async (endpoint: number): Promise<void> => {
    for (let index = next++; index < wanted; index = next++) {
      const bytes = bodies[index % bodies.length] as Buffer;
      const id = `msg_${index}`;
      const timestampSeconds = Math.floor(Date.now() / 1_000);
      const signature = signManaged({ id, timestampSeconds, body: bytes, secrets: [secret] });
      const headers = { 'content-type': 'application/json', 'hook-id': id, 'hook-signature': signature };
      await client.post({ url: new URL(`${url}${endpoint}`), headers, body: bytes });
    }
  };
  await Promise.all(Array.from({ length: ENDPOINTS * PER_ENDPOINT }, (_, index) => lane(index % ENDPOINTS)));
  return { rate: wanted / ((performance.now() - startedAt) / 1_000) };
}

/** Makes a backlog for `memory`, in a process of its own: what this leaves in memory is not that of sending. */
async function backlog(): Promise<{ readonly deliveries: number }> {
  const store = openStore();
  await fill(store, 0, Number(events));
  await store.close();
  return { deliveries: Number(events) * ENDPOINTS };
}

/** Resident bytes after it has sent for a while from a backlog. */
async function memory(): Promise<{ readonly bytes: number }> {
  const store = openStore();
  const sender = startSender(store, () => undefined);
  await sleep(Number(ms));
  globalThis.gc?.();
  const bytes = process.memoryUsage.rss();
  await sender.stop(0);
  return { bytes };
}

const TASKS: Readonly<Record<string, () => Promise<object>>> = { deliver, bare, backlog, memory };
process.send?.(await TASKS[task]?.());
await client.close();
process.disconnect();
