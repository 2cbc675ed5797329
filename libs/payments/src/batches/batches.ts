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
  readonly readModels: ReadModelWriter;
  readonly items: BatchItems;
  readonly leases: Leases;
}

const CURRENCIES: readonly Currency[] = ['USD', 'CAD'];
const POLL_MS = 50;
const END_OF_TIME = Number.MAX_SAFE_INTEGER;

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
  const closer = new BatchCloser(parts);
  const due = new DueBatches(parts);
  const scheduler = new BatchClosingScheduler({ ...parts, closer, due });
  const commands = new BatchCommands(parts, scheduler);
  return {
    close: (request) => commands.close(request),
    find: (batchId) => commands.find(batchId),
    runDue: (withinMs) => scheduler.runDue(withinMs),
    countDue: () => scheduler.countDue(),
    start: () => scheduler.start(),
    stop: () => scheduler.stop(),
  };
}

interface BatchesParts extends BatchesDependencies {
  readonly register: BatchRegister;
  readMerchant(merchantId: string): Promise<Merchant | undefined>;
}

class BatchCommands {
  constructor(
    private readonly parts: BatchesParts,
    private readonly scheduler: BatchClosingScheduler,
  ) {}

  async close(request: CloseRequest): Promise<readonly BatchView[] | CurrencyNotOffered | undefined> {
    const merchant = await this.parts.readMerchant(request.merchantId);
    if (!merchant) return undefined;
    const offered = await this.findCurrencies(merchant);
    const { currency } = request;
    if (currency !== undefined && !offered.includes(currency)) return { kind: 'CurrencyNotOffered', offered };
    const chosen = currency === undefined ? offered : [currency];
    const until = this.parts.clock.realNow() + request.waitMs;
    return Promise.all(chosen.map((each) => this.closeOne(merchant, each, request, until)));
  }

  async find(batchId: string): Promise<BatchView | undefined> {
    const loaded = await this.parts.register.load(batchId);
    return loaded && this.createView(loaded.state);
  }

  /** Waits for a closing that already runs, and then closes the batch that is open after it. */
  private async closeOne(
    merchant: Merchant,
    currency: Currency,
    { actor, traceId }: CloseRequest,
    until: number,
  ): Promise<BatchView> {
    const { register, clock } = this.parts;
    let current = await register.current(merchant, currency);
    if (current.loaded.state.status === 'Closing') {
      const closing = await this.waitUntilClosed(current.id, until);
      if (closing.status === 'Closing') return this.createView(closing);
      current = await register.current(merchant, currency);
    }
    const by = { merchantId: merchant.id, actor, ...(traceId !== undefined && { traceId }) };
    await register.startClosing(current, { cutOffAt: iso(clock.now()), cause: 'Operator', by });
    return this.createView(await this.waitUntilClosed(current.id, until));
  }

  private async waitUntilClosed(batchId: string, until: number): Promise<Batch> {
    const { register, clock } = this.parts;
    for (;;) {
      const loaded = await register.load(batchId);
      if (!loaded || !isWritten(loaded)) throw new Error(`the stream of batch ${batchId} is empty`);
      if (loaded.state.status !== 'Closing' || clock.realNow() >= until) return loaded.state;
      // The event wakes the leader. If no process leads, this one closes the batch.
      if (!(await this.scheduler.hasLeader())) this.scheduler.closeInBackground(batchId);
      await pause(POLL_MS);
    }
  }

  /** The merchant's currencies, and former ones that have items or batches. */
  private async findCurrencies({ id, currencies }: Merchant): Promise<readonly Currency[]> {
    const offered: Currency[] = [];
    for (const currency of CURRENCIES) {
      if (currencies.includes(currency) || (await this.hasItems(id, currency))) offered.push(currency);
    }
    return offered;
  }

  private async hasItems(merchantId: string, currency: Currency): Promise<boolean> {
    const { register, items } = this.parts;
    if (await register.exists(merchantId, currency)) return true;
    return (await items.sumOfUnbatched({ merchantId, currency, before: END_OF_TIME })).count > 0;
  }

  private async createView(batch: Batch): Promise<BatchView> {
    const { id, merchantId, currency, status, openedAt, closing, totals } = batch;
    const common = { id, merchantId, currency, status, openedAt };
    if (status === 'Closed' && totals && closing) {
      const { transactionCount, amount } = totals;
      return { ...common, transactionCount, amount, closedAt: closing.cutOffAt };
    }
    const before = status === 'Closing' && closing ? Date.parse(closing.cutOffAt) : END_OF_TIME;
    const { count, amount } = await this.parts.items.sumOfUnbatched({ merchantId, currency, before });
    return { ...common, transactionCount: count, amount };
  }
}
