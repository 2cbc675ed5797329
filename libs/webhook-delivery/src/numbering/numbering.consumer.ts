import {
  ImpossibleHistory,
  merchantOfApplication,
  merchantOfWebhookEndpoints,
  UnknownEvent,
} from '@tillstream/domain';
import type { Checkpoint, ConsumerPage, EventConsumer, HandleResult } from '@tillstream/event-consumers';
import type { EventStore, RecordedEvent } from '@tillstream/event-store';
import type { NumberingTables } from '../delivery.store.port.js';
import { MerchantNumbersCache } from './merchant.numbers.js';
import { numberFolded, PageNumbering, type BodySealer } from './page.numbering.js';
import { NUMBERED_CATEGORIES, StreamStates, type FoldedEvent } from './stream.states.js';

/** A page is one transaction of some ms. */
const PAGE_EVENTS = 500;
/** Fewer, larger pages under load; an event still reaches its receiver within 100 ms. */
const WAKE_UP_DELAY_MS = 20;

export interface NumberingParts {
  readonly store: Pick<EventStore, 'readStream'>;
  readonly tables: NumberingTables;
  readonly sealer: BodySealer;
  /** Ms since 1970 by the service clock. */
  readonly now: () => number;
  /** Called after deliveries were committed by this process. Must return at once and not throw. */
  readonly onDeliveries: () => void;
}

/**
 * Numbers webhook events and stores their bodies and deliveries (`docs/spec/webhooks.md`). Everything follows from history:
 * tables that were lost are made again with the same ids, numbers and bytes.
 */
export class NumberingConsumer implements EventConsumer {
  readonly reads = 'Events';
  readonly name = 'webhooks';
  readonly categories = NUMBERED_CATEGORIES;
  readonly pageSize = PAGE_EVENTS;
  readonly wakeUpDelayMs = WAKE_UP_DELAY_MS;
  readonly #states: StreamStates;
  readonly #numbers: MerchantNumbersCache;

  constructor(private readonly parts: NumberingParts) {
    this.#states = new StreamStates(parts.store);
    this.#numbers = new MerchantNumbersCache(parts.tables);
  }

  checkpoint(): Promise<Checkpoint | undefined> {
    return this.parts.tables.checkpoint();
  }

  async handle(page: ConsumerPage<RecordedEvent>): Promise<HandleResult> {
    try {
      const result = await this.#handle(page);
      if (result.kind === 'Moved') this.#numbers.moved(result.to);
      else this.#numbers.forget();
      return result;
    } catch (error) {
      this.#numbers.forget();
      throw error;
    }
  }

  async reset(): Promise<void> {
    this.#numbers.forget();
    await this.parts.tables.reset();
  }

  isPermanent(error: unknown): boolean {
    return error instanceof UnknownEvent || error instanceof ImpossibleHistory || error instanceof RangeError;
  }

  async #handle({ items, from, to, witness }: ConsumerPage<RecordedEvent>): Promise<HandleResult> {
    const { tables, sealer, now, onDeliveries } = this.parts;
    const folded: [RecordedEvent, FoldedEvent, string][] = [];
    for (const recorded of items) {
      const one = await this.#states.fold(recorded);
      folded.push([recorded, one, merchantOf(recorded, one)]);
    }
    const merchants = folded.map(([, , merchantId]) => merchantId);
    const numbering = new PageNumbering(await this.#numbers.load(from, merchants), sealer, now());
    for (const [recorded, one, merchantId] of folded) numberFolded(numbering, recorded, one, merchantId);
    const { changes } = numbering;
    const result = await tables.record({ from, to, witness, ...changes });
    if (result.kind === 'Moved' && changes.events.length > 0) onDeliveries();
    return result;
  }
}

function merchantOf({ stream }: RecordedEvent, folded: FoldedEvent): string {
  const merchantId = merchantIdIn(stream, folded);
  if (merchantId === undefined) throw new ImpossibleHistory(`${stream} does not begin with a request`);
  return merchantId;
}

function merchantIdIn(stream: string, { category, after }: FoldedEvent): string | undefined {
  switch (category) {
    case 'webhookendpoints':
      return merchantOfWebhookEndpoints(stream);
    case 'merchantapplication':
      return merchantOfApplication(stream);
    case 'pricingtemplates':
      return after.merchantId;
    case 'payment':
    case 'token':
      return after.status === 'None' ? undefined : after.merchantId;
  }
}
