import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Position } from '@tillstream/event-store';
import {
  AllowedAddresses,
  type AttemptResult,
  DeliverySender,
  type DeliveryEndpoint,
  type DeliveryStore,
  type SenderOptions,
  type StoredDelivery,
} from '@tillstream/webhook-delivery';
import { DeliveryClient } from '@tillstream/webhook-delivery/client';
import { openSqliteDeliveryStore } from '@tillstream/webhook-delivery-sqlite';
import { newManagedSecret } from '@tillstream/webhooks';
import { HttpSink, type Answer } from './http.sink.js';

export const START = Date.parse('2030-01-01T00:00:00.000Z');
const MERCHANT = 'mer_01M7ZEVMZ2SK7YE6CJWG3SRP00';

const position = (page: number): Position => String(page) as Position;

type SenderChanges = Partial<SenderOptions> & { readonly timeLimitMs?: number };

/** Where the deliveries are. */
export interface SendingPlace {
  /** As another process opens them. */
  open(): DeliveryStore;
  remove(): Promise<void> | void;
}

function filePlace(): SendingPlace {
  const folder = mkdtempSync(join(tmpdir(), 'tillstream-sending-'));
  const directory = join(folder, 'webhooks');
  return {
    open: () => openSqliteDeliveryStore({ directory, source: 'test', onDamage: () => undefined }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Deliveries in a real store, numbered by hand, and real endpoints. Secrets and bodies are kept as they are. */
export class SendingFixture {
  readonly disabled: [endpointId: string, reason: string][] = [];
  readonly logged: string[] = [];
  /** Reports of endpoints' health: `id change`. */
  readonly health: string[] = [];
  readonly attempts: AttemptResult[] = [];
  readonly sinks: HttpSink[] = [];
  readonly endpoints: DeliveryEndpoint[] = [];
  /** Ms that the service's clock is ahead. */
  advancedMs = START - Date.now();
  readonly #senders: { readonly sender: DeliverySender; readonly client: DeliveryClient }[] = [];
  readonly #store: DeliveryStore;
  #page = 0;
  #event = 0;
  readonly #hookSequences = new Map<string, number>();

  /** Default: a file of its own. */
  constructor(private readonly place = filePlace()) {
    this.#store = place.open();
  }

  /** As a second process has it. */
  openStore(): DeliveryStore {
    return this.place.open();
  }

  now(): number {
    return Date.now() + this.advancedMs;
  }

  async endpoint(answer?: Answer, changes: Partial<DeliveryEndpoint> = {}): Promise<DeliveryEndpoint> {
    const sink = await HttpSink.open(answer);
    this.sinks.push(sink);
    const endpoint: DeliveryEndpoint = {
      id: `whe_${this.sinks.length}`,
      merchantId: MERCHANT,
      method: 'Managed',
      url: sink.url,
      eventTypes: ['*'],
      status: 'Enabled',
      secret: newManagedSecret(),
      enabledAt: new Date(START - 1_000).toISOString(),
      createdAt: new Date(START - 1_000).toISOString(),
      updatedAt: new Date(START - 1_000).toISOString(),
      ...changes,
    };
    this.endpoints.push(endpoint);
    await this.put(endpoint);
    return endpoint;
  }

  async put(endpoint: DeliveryEndpoint): Promise<void> {
    await this.#record({ endpoints: [{ kind: 'Put', endpoint }] });
  }

  /** Numbers so many events for all endpoints. */
  async events(count: number): Promise<void> {
    const events = Array.from({ length: count }, () => {
      const sequence = ++this.#event;
      const eventId = `evt_${sequence}`;
      const deliveries = this.endpoints.map(({ id, enabledAt }) => {
        const hookSequence = (this.#hookSequences.get(id) ?? 0) + 1;
        this.#hookSequences.set(id, hookSequence);
        const names = {
          deliveryId: `dlv_${id}_${sequence}`,
          hookId: `msg_${id}_${sequence}`,
          endpointId: id,
        };
        return {
          ...names,
          hookSequence,
          status: 'Pending' as const,
          ...(enabledAt !== undefined && { enabledAt }),
        };
      });
      const body = Buffer.from(JSON.stringify({ event: { id: eventId, type: 'sale.completed', sequence } }));
      return {
        eventId,
        merchantId: MERCHANT,
        type: 'sale.completed',
        sequence,
        at: this.now(),
        body,
        deliveries,
      };
    });
    await this.#record({ events });
    for (const { sender } of this.#senders) sender.wake();
  }

  async #record(changes: Pick<Partial<Parameters<DeliveryStore['record']>[0]>, 'endpoints' | 'events'>) {
    const from = this.#page === 0 ? undefined : position(this.#page);
    const to = position(++this.#page);
    const witness = { stream: 'payment-1', revision: this.#page, position: to };
    const page = {
      from,
      to,
      witness,
      endpoints: [],
      events: [],
      sequences: new Map([[MERCHANT, this.#event]]),
    };
    await this.#store.record({ ...page, ...changes });
  }

  /** Each sender has the store opened on its own, as a process has. */
  start({ timeLimitMs = 15_000, ...changes }: SenderChanges = {}): DeliverySender {
    const client = new DeliveryClient({ allowed: new AllowedAddresses(['127.0.0.0/8']), timeLimitMs });
    const sender = new DeliverySender({
      ...{ client, queue: this.openStore(), userAgent: 'Tillstream-Webhooks/test' },
      clock: { now: () => this.now(), realNow: () => Date.now() },
      random: () => 0.5,
      redact: (text) => text.replaceAll(/\d{12,}/g, '…'),
      seals: {
        openSecret: async (_id, sealed) => sealed,
        openBody: (_id, sealed) => sealed,
        sealAnswer: (_id, answer) => answer,
      },
      disabling: {
        disable: async ({ id }, reason) => {
          this.disabled.push([id, reason]);
          return true;
        },
        log: { disabled: () => undefined, notDisabled: (_endpoint, reason) => void this.logged.push(reason) },
      },
      health: { changed: ({ id }, change) => void this.health.push(`${id} ${change}`) },
      attempted: (result) => void this.attempts.push(result),
      log: {
        failing: (reason) => void this.logged.push(reason),
        recovered: () => void this.logged.push('recovered'),
      },
      ...changes,
    });
    this.#senders.push({ sender, client });
    sender.start();
    return sender;
  }

  /** Deliveries that are not delivered yet. */
  async openCount(endpointId: string): Promise<number> {
    return this.#store.count({ endpointId, status: ['Pending', 'Failed'] }, 1_000);
  }

  async deliveries(endpointId: string): Promise<StoredDelivery[]> {
    return this.#store.list({ endpointId }, undefined, 1_000);
  }

  /** Until what `look` returns is true. */
  async until(look: () => boolean | Promise<boolean>, timeoutMs = 10_000): Promise<void> {
    for (const end = performance.now() + timeoutMs; !(await look());) {
      if (performance.now() > end) throw new Error(`it did not come: ${this.logged.join(', ')}`);
      await sleep(5);
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#senders.map(({ sender }) => sender.stop(0)));
    await Promise.all(this.#senders.map(({ client }) => client.close()));
    for (const sink of this.sinks) sink.close();
    await this.#store.close();
    await this.place.remove();
  }
}
