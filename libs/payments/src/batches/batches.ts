import { setTimeout as pause } from 'node:timers/promises';
import type { Batch, Currency, Merchant } from '@tillstream/domain';
import type { Leases } from '@tillstream/event-consumers';
import type { EventStore } from '@tillstream/event-store';
import { iso, type Clock } from '../ports/clock.port.js';
import { StreamAuthentication } from '../authentication/authentication.js';
import { createBatchRepository, createPaymentRepository } from '../stream-repository/stream-repositories.js';
import type { PaymentsLog } from '../ports/log.port.js';
import type { ReadModelWriter } from '../read-model-write-through/read-model-writer.port.js';
import { BatchRegister, isWritten } from './batch.register.js';
import { BatchCloser } from './batch.closer.js';
import { BatchClosingScheduler } from './batch-closing.scheduler.js';
import type { BatchItems } from './batch-items.port.js';
import type { Batches, BatchView, CloseRequest, CurrencyNotOffered } from './batches.types.js';
import { DueBatches } from './due-batches.js';

export interface BatchesDependencies {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly log: PaymentsLog;
  /** Told of every payment that a batch takes, and of the batch. */
  readonly readModels: ReadModelWriter;
  readonly items: BatchItems;
  readonly leases: Leases;
}

const CURRENCIES: readonly Currency[] = ['USD', 'CAD'];
const LOOK_AGAIN_MS = 50;
const NO_TIME = Number.MAX_SAFE_INTEGER;

export function createBatches(dependencies: BatchesDependencies): Batches {
  const { store, clock } = dependencies;
  const authentication = new StreamAuthentication(store, clock);
  const common = {
    ...dependencies,
    batches: createBatchRepository(store, clock),
    payments: createPaymentRepository(store, clock),
    findMerchant: (merchantId: string): Promise<Merchant | undefined> =>
      authentication.findMerchant(merchantId),
    readMerchant: (merchantId: string): Promise<Merchant | undefined> =>
      authentication.readMerchant(merchantId),
  };
  const parts = { ...common, register: new BatchRegister(common) };
  const work = new BatchClosingScheduler({
    ...parts,
    closer: new BatchCloser(parts),
    due: new DueBatches(parts),
  });
  return new StreamBatches(parts, work);
}

interface BatchesParts extends BatchesDependencies {
  readonly register: BatchRegister;
  readMerchant(merchantId: string): Promise<Merchant | undefined>;
}

class StreamBatches implements Batches {
  constructor(
    private readonly parts: BatchesParts,
    private readonly scheduler: BatchClosingScheduler,
  ) {}

  async close(request: CloseRequest): Promise<readonly BatchView[] | CurrencyNotOffered | undefined> {
    const merchant = await this.parts.readMerchant(request.merchantId);
    if (!merchant) return undefined;
    const offered = await this.currenciesOf(merchant);
    const { currency } = request;
    if (currency !== undefined && !offered.includes(currency)) return { kind: 'CurrencyNotOffered', offered };
    const chosen = currency === undefined ? offered : [currency];
    const until = this.parts.clock.realNow() + request.waitMs;
    return Promise.all(chosen.map((one) => this.closeOne(merchant, one, request, until)));
  }

  async find(batchId: string): Promise<BatchView | undefined> {
    const loaded = await this.parts.register.load(batchId);
    return loaded && this.viewOf(loaded.state);
  }

  runDue(withinMs: number): Promise<{ readonly ran: number; readonly pending: number }> {
    return this.scheduler.runDue(withinMs);
  }

  countDue(): Promise<number> {
    return this.scheduler.countDue();
  }

  start(): void {
    this.scheduler.start();
  }

  stop(): Promise<void> {
    return this.scheduler.stop();
  }

  /** A cut-off that is in hand is let finish first: what was asked for is what is open now. */
  private async closeOne(
    merchant: Merchant,
    currency: Currency,
    { actor, traceId }: CloseRequest,
    until: number,
  ): Promise<BatchView> {
    const { register, clock } = this.parts;
    let current = await register.current(merchant, currency);
    if (current.loaded.state.status === 'Closing') {
      const before = await this.waitUntilClosed(current.id, until);
      if (before.status === 'Closing') return this.viewOf(before);
      current = await register.current(merchant, currency);
    }
    const by = { merchantId: merchant.id, actor, ...(traceId !== undefined && { traceId }) };
    await register.startClosing(current, { cutOffAt: iso(clock.now()), cause: 'Operator', by });
    return this.viewOf(await this.waitUntilClosed(current.id, until));
  }

  private async waitUntilClosed(batchId: string, until: number): Promise<Batch> {
    const { register, clock } = this.parts;
    for (;;) {
      const loaded = await register.load(batchId);
      if (!loaded || !isWritten(loaded)) throw new Error(`batch ${batchId} was begun and is not there`);
      if (loaded.state.status !== 'Closing' || clock.realNow() >= until) return loaded.state;
      // The leader is woken by the event. If no process leads, this one closes the batch.
      if (!(await this.scheduler.hasLeader())) this.scheduler.closeInBackground(batchId);
      await pause(LOOK_AGAIN_MS);
    }
  }

  /** Those that it takes, and those that it took: what waits in one has to come into a batch. */
  private async currenciesOf({ id, currencies }: Merchant): Promise<readonly Currency[]> {
    const offered: Currency[] = [];
    for (const currency of CURRENCIES) {
      if (currencies.includes(currency) || (await this.hasItems(id, currency))) offered.push(currency);
    }
    return offered;
  }

  private async hasItems(merchantId: string, currency: Currency): Promise<boolean> {
    const { register, items } = this.parts;
    if (await register.exists(merchantId, currency)) return true;
    return (await items.sumOfUnbatched({ merchantId, currency, before: NO_TIME })).count > 0;
  }

  private async viewOf(batch: Batch): Promise<BatchView> {
    const { id, merchantId, currency, status, openedAt, closing, totals } = batch;
    const common = { id, merchantId, currency, status, openedAt };
    if (status === 'Closed' && totals && closing) {
      const { transactionCount, amount } = totals;
      return { ...common, transactionCount, amount, closedAt: closing.cutOffAt };
    }
    const before = status === 'Closing' && closing ? Date.parse(closing.cutOffAt) : NO_TIME;
    const { count, amount } = await this.parts.items.sumOfUnbatched({ merchantId, currency, before });
    return { ...common, transactionCount: count, amount };
  }
}
