import { nextCutOff, type Currency, type Merchant } from '@tillstream/domain';
import { iso, type Clock } from '../clock.port.js';
import { theService } from '../event-metadata.js';
import type { PaymentsLog } from '../log.port.js';
import type { BatchBook, CurrentBatch } from './batch.book.js';
import type { BatchItems, WaitingItems } from './batch-items.port.js';

export interface DueParts {
  readonly book: BatchBook;
  readonly items: BatchItems;
  readonly clock: Clock;
  readonly log: PaymentsLog;
  merchant(merchantId: string): Promise<Merchant | undefined>;
  freshMerchant(merchantId: string): Promise<Merchant | undefined>;
}

/** A batch whose cut-off has passed. */
export interface DueBatch {
  readonly current: CurrentBatch;
  /** RFC 3339. */
  readonly cutOffAt: string;
}

/** A merchant's cut-off and zone: as they were a moment ago, or as they are now, which costs a read for each merchant. */
type Settings = 'Believed' | 'Stored';

const MOST_REMEMBERED = 20_000;
const TWO_DAYS_MS = 2 * 86_400_000;

/**
 * Which batches fell due. Only merchants with something that no batch took are looked at, and of most of them it is
 * known without a read that it is not time yet.
 */
export class DueBatches {
  /** By merchant and currency: what moved before this was looked at already, ms. It only grows. */
  private readonly since = new Map<string, number>();
  private readonly told = new Set<string>();

  constructor(private readonly parts: DueParts) {}

  async find(settings: Settings = 'Believed'): Promise<readonly DueBatch[]> {
    const due: DueBatch[] = [];
    for (const waiting of await this.parts.items.waiting()) {
      try {
        const one = await this.dueOf(waiting, settings);
        if (one) due.push(one);
      } catch (error) {
        this.complain(waiting, error);
      }
    }
    return due;
  }

  /** Harmless where somebody else began it meanwhile. */
  async begin({ current, cutOffAt }: DueBatch): Promise<void> {
    const by = { merchantId: current.merchantId, actor: theService };
    await this.parts.book.begin(current, { cutOffAt, cause: 'CutOff', by });
  }

  private async dueOf(
    { merchantId, currency: text, oldest }: WaitingItems,
    look: Settings,
  ): Promise<DueBatch | undefined> {
    const { book, clock } = this.parts;
    const currency = text as Currency;
    const key = `${merchantId} ${currency}`;
    const merchant = await this.parts[look === 'Stored' ? 'freshMerchant' : 'merchant'](merchantId);
    if (!merchant) return undefined;
    const since = this.since.get(key);
    const soonest = Math.max(oldest, since ?? Number.NEGATIVE_INFINITY);
    if (nextCutOff(soonest, merchant.timeZone, merchant.cutOff) > clock.now()) return undefined;
    // It may be time: from here on only what the store says now counts.
    const current = await book.current(merchant, currency);
    this.remember(key, Date.parse(current.since));
    if (current.loaded.state.status === 'Closing') return undefined;
    const settings = await this.parts.freshMerchant(merchantId);
    const cutOff = settings && (await this.cutOffOf(settings, current, clock.now()));
    return cutOff === undefined ? undefined : { current, cutOffAt: iso(cutOff) };
  }

  /**
   * The first cut-off after the oldest item that was not looked at yet, however late it is noticed. Where all that waits
   * was left over from closings before, the last one that has passed: a clock that jumped over many closes one batch.
   */
  private async cutOffOf(
    { timeZone, cutOff }: Merchant,
    { merchantId, currency, since: sinceText }: CurrentBatch,
    now: number,
  ): Promise<number | undefined> {
    const since = Date.parse(sinceText);
    const oldest = await this.parts.items.oldestSince(merchantId, currency, since);
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
  private complain({ merchantId }: WaitingItems, error: unknown): void {
    if (this.told.has(merchantId) || this.told.size >= MOST_REMEMBERED) return;
    this.told.add(merchantId);
    const reason = error instanceof Error ? error.message : String(error);
    this.parts.log.error('cut-off-failed', { merchantId, reason });
  }

  private remember(key: string, since: number): void {
    this.since.delete(key);
    this.since.set(key, since);
    if (this.since.size > MOST_REMEMBERED) this.since.delete(this.since.keys().next().value ?? '');
  }
}
