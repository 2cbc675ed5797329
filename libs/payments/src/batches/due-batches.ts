import { nextCutOff, type Currency, type Merchant } from '@tillstream/domain';
import { iso, type Clock } from '../ports/clock.port.js';
import { serviceActor } from '../stream-repository/event-metadata.js';
import type { PaymentsLog } from '../ports/log.port.js';
import type { BatchRegister, CurrentBatch } from './batch.register.js';
import type { BatchItems, MerchantWithUnbatched } from './batch-items.port.js';

export interface DueBatchesParts {
  readonly register: BatchRegister;
  readonly items: BatchItems;
  readonly clock: Clock;
  readonly log: PaymentsLog;
  findMerchant(merchantId: string): Promise<Merchant | undefined>;
  readMerchant(merchantId: string): Promise<Merchant | undefined>;
}

/** A batch whose cut-off has passed. */
export interface DueBatch {
  readonly current: CurrentBatch;
  /** RFC 3339. */
  readonly cutOffAt: string;
}

/** A merchant's cut-off and zone: as they were a moment ago, or as they are now, which costs a read for each merchant. */
type SettingsSource = 'Believed' | 'Stored';

const MOST_REMEMBERED = 20_000;
const TWO_DAYS_MS = 2 * 86_400_000;

/**
 * Which batches fell due. Only merchants with something that no batch took are looked at, and of most of them it is
 * known without a read that it is not time yet.
 */
export class DueBatches {
  /** By merchant and currency: what moved before this was looked at already, ms. It only grows. */
  private readonly examinedUntil = new Map<string, number>();
  private readonly reportedMerchants = new Set<string>();

  constructor(private readonly parts: DueBatchesParts) {}

  async find(settings: SettingsSource = 'Believed'): Promise<readonly DueBatch[]> {
    const due: DueBatch[] = [];
    for (const waiting of await this.parts.items.merchantsWithUnbatched()) {
      try {
        const one = await this.findDue(waiting, settings);
        if (one) due.push(one);
      } catch (error) {
        this.reportOnce(waiting, error);
      }
    }
    return due;
  }

  /** Harmless where somebody else began it meanwhile. */
  async startClosing({ current, cutOffAt }: DueBatch): Promise<void> {
    const by = { merchantId: current.merchantId, actor: serviceActor };
    await this.parts.register.startClosing(current, { cutOffAt, cause: 'CutOff', by });
  }

  private async findDue(
    { merchantId, currency: text, oldest }: MerchantWithUnbatched,
    look: SettingsSource,
  ): Promise<DueBatch | undefined> {
    const { register, clock } = this.parts;
    const currency = text as Currency;
    const key = `${merchantId} ${currency}`;
    const merchant = await this.parts[look === 'Stored' ? 'readMerchant' : 'findMerchant'](merchantId);
    if (!merchant) return undefined;
    const since = this.examinedUntil.get(key);
    const soonest = Math.max(oldest, since ?? Number.NEGATIVE_INFINITY);
    if (nextCutOff(soonest, merchant.timeZone, merchant.cutOff) > clock.now()) return undefined;
    // It may be time: from here on only what the store says now counts.
    const current = await register.current(merchant, currency);
    this.remember(key, Date.parse(current.examinedUntil));
    if (current.loaded.state.status === 'Closing') return undefined;
    const settings = await this.parts.readMerchant(merchantId);
    const cutOff = settings && (await this.passedCutOff(settings, current, clock.now()));
    return cutOff === undefined ? undefined : { current, cutOffAt: iso(cutOff) };
  }

  /**
   * The first cut-off after the oldest item that was not looked at yet, however late it is noticed. Where all that waits
   * was left over from closings before, the last one that has passed: a clock that jumped over many closes one batch.
   */
  private async passedCutOff(
    { timeZone, cutOff }: Merchant,
    { merchantId, currency, examinedUntil: sinceText }: CurrentBatch,
    now: number,
  ): Promise<number | undefined> {
    const since = Date.parse(sinceText);
    const oldest = await this.parts.items.oldestUnbatchedSince(merchantId, currency, since);
    if (oldest !== undefined) {
      const next = nextCutOff(oldest, timeZone, cutOff);
      return next <= now ? next : undefined;
    }
    let last: number | undefined;
    const from = Math.max(since, now - TWO_DAYS_MS);
    for (let next = nextCutOff(from, timeZone, cutOff); next <= now;) {
      last = next;
      next = nextCutOff(next, timeZone, cutOff);
    }
    return last;
  }

  /** Once for each merchant: it comes again every second. */
  private reportOnce({ merchantId }: MerchantWithUnbatched, error: unknown): void {
    if (this.reportedMerchants.has(merchantId) || this.reportedMerchants.size >= MOST_REMEMBERED) return;
    this.reportedMerchants.add(merchantId);
    const reason = error instanceof Error ? error.message : String(error);
    this.parts.log.error('cut-off-failed', { merchantId, reason });
  }

  private remember(key: string, since: number): void {
    this.examinedUntil.delete(key);
    this.examinedUntil.set(key, since);
    if (this.examinedUntil.size > MOST_REMEMBERED)
      this.examinedUntil.delete(this.examinedUntil.keys().next().value ?? '');
  }
}
