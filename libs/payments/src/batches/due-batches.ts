import { LRUCache } from 'lru-cache';
import { isBeingClosed, nextCutOff, type Currency, type Merchant } from '@tillstream/domain';
import { errorMessage } from '@tillstream/runtime';
import { iso } from '../ports/clock.port.js';
import { serviceActor } from '../stream-repository/event-metadata.js';
import type { CurrentBatch } from './batch.register.js';
import type { MerchantWithUnbatched } from './batch-items.port.js';
import type { BatchParts } from './batches.js';

/** A batch whose cut-off has passed. */
interface DueBatch {
  readonly current: CurrentBatch;
  /** RFC 3339. */
  readonly cutOffAt: string;
}

/** Where a merchant's cut-off and zone come from: `Stored` costs a read for each merchant. */
type SettingsSource = 'Cached' | 'Stored';

const MERCHANTS_MAX = 20_000;
const TWO_DAYS_MS = 2 * 86_400_000;

/**
 * Finds the batches whose cut-off has passed. Only merchants with an item that no batch took, or with an adjustment, are examined. For most of
 * them the cached cut-off shows without a read that the batch is not due.
 */
export class DueBatches {
  /** By merchant and currency: an earlier closing examined the items before this time, ms. It only grows. */
  private readonly examinedUntil = new LRUCache<string, number>({ max: MERCHANTS_MAX });
  private readonly reportedMerchants = new Set<string>();

  constructor(private readonly parts: BatchParts) {}

  async find(settings: SettingsSource = 'Cached'): Promise<readonly DueBatch[]> {
    const due: DueBatch[] = [];
    for (const merchant of await this.merchantsToExamine()) {
      try {
        const batch = await this.findDue(merchant, settings);
        if (batch) due.push(batch);
      } catch (error) {
        this.reportOnce(merchant, error);
      }
    }
    return due;
  }

  /** Has no effect if another process started the closing. */
  async startClosing({ current, cutOffAt }: DueBatch): Promise<void> {
    const by = { merchantId: current.merchantId, actor: serviceActor };
    await this.parts.register.startClosing(current, { cutOffAt, cause: 'CutOff', by });
  }

  private async merchantsToExamine(): Promise<Iterable<MerchantWithUnbatched>> {
    const { items } = this.parts;
    const found = new Map<string, MerchantWithUnbatched>();
    for (const one of [...(await items.merchantsWithUnbatched()), ...(await items.adjustedBatches())]) {
      const key = `${one.merchantId} ${one.currency}`;
      const oldest = Math.min(one.oldest, found.get(key)?.oldest ?? one.oldest);
      found.set(key, { ...one, oldest });
    }
    return found.values();
  }

  private async findDue(
    { merchantId, currency: text, oldest }: MerchantWithUnbatched,
    source: SettingsSource,
  ): Promise<DueBatch | undefined> {
    const { register, clock, authentication } = this.parts;
    const currency = text as Currency;
    const key = `${merchantId} ${currency}`;
    const merchant = await authentication[source === 'Stored' ? 'readMerchant' : 'findMerchant'](merchantId);
    if (!merchant) return undefined;
    const earliest = Math.max(oldest, this.examinedUntil.get(key) ?? Number.NEGATIVE_INFINITY);
    if (nextCutOff(earliest, merchant.timeZone, merchant.cutOff) > clock.now()) return undefined;
    // The batch may be due, so the check is repeated with the stored settings.
    const current = await register.current(merchant, currency);
    this.examinedUntil.set(key, Date.parse(current.examinedUntil));
    if (isBeingClosed(current.loaded.state)) return undefined;
    const settings = await authentication.readMerchant(merchantId);
    const cutOff = settings && (await this.passedCutOff(settings, current, clock.now()));
    return cutOff === undefined ? undefined : { current, cutOffAt: iso(cutOff) };
  }

  /**
   * The first cut-off after the oldest item that no closing examined, or the first adjustment, even if it is noticed days later. If earlier closings
   * left all items over, the last cut-off that has passed: a clock that jumps over many cut-offs closes one batch.
   */
  private async passedCutOff(
    { timeZone, cutOff }: Merchant,
    { merchantId, currency, examinedUntil: sinceText, loaded }: CurrentBatch,
    now: number,
  ): Promise<number | undefined> {
    const since = Date.parse(sinceText);
    const oldestItem = await this.parts.items.oldestUnbatchedSince(merchantId, currency, since);
    const [adjustment] = loaded.state.status === 'None' ? [] : loaded.state.adjustments;
    const times = [oldestItem, adjustment && Math.max(since, Date.parse(adjustment.at))];
    const oldest = Math.min(...times.filter((time) => time !== undefined));
    if (Number.isFinite(oldest)) {
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

  /** Logs once for each merchant, because the error occurs again every second. */
  private reportOnce({ merchantId }: MerchantWithUnbatched, error: unknown): void {
    if (this.reportedMerchants.has(merchantId) || this.reportedMerchants.size >= MERCHANTS_MAX) return;
    this.reportedMerchants.add(merchantId);
    const reason = errorMessage(error);
    this.parts.log.error('cut-off-failed', { merchantId, reason });
  }
}
