import { setTimeout as pause } from 'node:timers/promises';
import { isBeingClosed, type Batch, type Currency, type Merchant } from '@tillstream/domain';
import { iso } from '../ports/clock.port.js';
import { Authentication } from '../authentication/authentication.js';
import {
  createBatchRepository,
  createPaymentRepository,
  createSettlementPageRepository,
  createSettlementRepository,
  type PaymentRepository,
  type BatchRepository,
  type SettlementPageRepository,
  type SettlementRepository,
} from '../stream-repository/repositories.js';
import { BatchRegister, CURRENCIES } from './batch.register.js';
import { BatchCloser } from './batch.closer.js';
import { BatchClosingScheduler } from './batch-closing.scheduler.js';
import type { BatchItems } from './batch-items.port.js';
import { Adjustments, type AdjustmentRequest } from '../settlements/adjustments.js';
import { Chargebacks, type ChargebackRequest } from '../settlements/chargebacks.js';
import type { BankHolidays } from '../settlements/bank-holidays.port.js';
import { SettlementFunding, type FundRequest } from '../settlements/settlement.funding.js';
import { createMonthEndRepository, type MonthEndRepository } from '../month-ends/month-end.repository.js';
import { MonthEndSchedule } from '../month-ends/month-end.schedule.js';
import { DueBatches } from './due-batches.js';
import type { Ports } from '../parts.js';
import type { Actor } from '../requests/request.types.js';

export type BatchesDependencies = Pick<Ports, 'store' | 'clock' | 'log' | 'readModels' | 'leases'> & {
  readonly items: BatchItems;
  readonly bankHolidays: BankHolidays;
  /** In the sandbox, the clock funds a settlement when its expected date comes. */
  readonly fundsByClock: boolean;
};

export interface BatchParts extends BatchesDependencies {
  readonly batches: BatchRepository;
  readonly payments: PaymentRepository;
  readonly settlements: SettlementRepository;
  readonly settlementPages: SettlementPageRepository;
  readonly monthEnds: MonthEndRepository;
  readonly authentication: Authentication;
  readonly register: BatchRegister;
}

export interface CloseRequest {
  readonly actor: Actor;
  readonly merchantId: string;
  /** Default: all currencies. */
  readonly currency?: Currency;
  /** Real time. */
  readonly waitMs: number;
  readonly traceId?: string;
}

export interface CurrencyNotOffered {
  readonly kind: 'CurrencyNotOffered';
  readonly offered: readonly Currency[];
}

export interface BatchView {
  readonly id: string;
  readonly merchantId: string;
  readonly currency: Currency;
  readonly status: 'Open' | 'Closing' | 'Closed';
  /** Of a batch that is not closed: the items that wait for it now. */
  readonly transactionCount: number;
  /** Signed cents. */
  readonly amount: number;
  readonly openedAt: string;
  /** The cut-off, even if the closing ended later. */
  readonly closedAt?: string;
}

const POLL_MS = 50;
const END_OF_TIME = Number.MAX_SAFE_INTEGER;

/** Closes batches at the merchants' cut-offs and on an operator's command. Several processes may do so at a time. */
export function createBatches(dependencies: BatchesDependencies) {
  const batches = createBatchRepository(dependencies);
  const parts = {
    ...dependencies,
    batches,
    payments: createPaymentRepository(dependencies),
    settlements: createSettlementRepository(dependencies),
    settlementPages: createSettlementPageRepository(dependencies),
    monthEnds: createMonthEndRepository(dependencies),
    authentication: new Authentication(dependencies),
    register: new BatchRegister({ ...dependencies, batches }),
  };
  const closer = new BatchCloser(parts);
  const due = new DueBatches(parts);
  const funding = new SettlementFunding(parts);
  const chargebacks = new Chargebacks(parts);
  const adjustments = new Adjustments(parts);
  const scheduler = new BatchClosingScheduler({
    ...parts,
    closer,
    due,
    funding,
    schedule: new MonthEndSchedule(parts),
  });
  const commands = new BatchCommands(parts, scheduler);
  return {
    close: (request: CloseRequest) => commands.close(request),
    find: (batchId: string) => commands.find(batchId),
    recordChargeback: (request: ChargebackRequest) => chargebacks.record(request),
    recordAdjustment: (request: AdjustmentRequest) => adjustments.record(request),
    fundSettlement: (request: FundRequest) => funding.fund(request),
    runDue: (withinMs: number) => scheduler.runDue(withinMs),
    countDue: () => scheduler.countDue(),
    start: () => scheduler.start(),
    stop: () => scheduler.stop(),
  };
}

export type Batches = ReturnType<typeof createBatches>;

class BatchCommands {
  constructor(
    private readonly parts: BatchParts,
    private readonly scheduler: BatchClosingScheduler,
  ) {}

  /**
   * Closes a merchant's open batches, in one currency or in all, and waits until they are closed, at most `waitMs`. An
   * empty batch stays open. Undefined if the merchant does not exist.
   */
  async close(request: CloseRequest): Promise<readonly BatchView[] | CurrencyNotOffered | undefined> {
    const merchant = await this.parts.authentication.readMerchant(request.merchantId);
    if (!merchant) return undefined;
    const offered = await this.findCurrencies(merchant);
    const { currency } = request;
    if (currency !== undefined && !offered.includes(currency)) return { kind: 'CurrencyNotOffered', offered };
    const chosen = currency === undefined ? offered : [currency];
    const until = this.parts.clock.realNow() + request.waitMs;
    return Promise.all(chosen.map((each) => this.closeOne(merchant, each, request, until)));
  }

  /** Undefined if no stream has the batch. */
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
    if (isBeingClosed(current.loaded.state)) {
      const closing = await this.waitUntilClosed(current.id, until);
      if (isBeingClosed(closing)) return this.createView(closing);
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
      if (!loaded) throw new Error(`the stream of batch ${batchId} is empty`);
      if (!isBeingClosed(loaded.state) || clock.realNow() >= until) return loaded.state;
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
