import { dateInZone, monthOfDate, startOfDate, type Currency } from '@tillstream/domain';
import { errorMessage } from '@tillstream/runtime';
import type { MerchantZone } from '../batches/batch-items.port.js';
import { CURRENCIES } from '../batches/batch.register.js';
import type { BatchParts } from '../batches/batches.js';
import { MonthEnds } from './month-ends.js';

const PAGE_SIZE = 500;
const CONCURRENT_MERCHANTS_MAX = 10;
const UNFINISHED_MAX = 20_000;
const HOUR_MS = 3_600_000;
/** Months begin at multiples of it: no zone has a finer offset. */
const STEP_MS = HOUR_MS / 4;
/** A month begins at most this long before and after it begins in UTC. */
const AHEAD_OF_UTC_MS = 14 * HOUR_MS;
const BEHIND_UTC_MS = 12 * HOUR_MS;

interface MerchantCurrency {
  readonly merchantId: string;
  readonly currency: Currency;
}

/** Resolves to whether nothing is left to do. */
type Handle = (merchantId: string, currency: Currency) => Promise<boolean>;

/**
 * Finds the merchants whose month has ended. The first run of a process looks at all of them. After that they are read only while
 * a month begins somewhere, and the streams only of those where it began.
 */
export class MonthEndSchedule {
  private readonly monthEnds: MonthEnds;
  /** Service's clock: the months that ended until then were handled, or are in `unfinished`. */
  private checkedUntil = Number.NEGATIVE_INFINITY;
  private readonly unfinished = new Map<string, MerchantCurrency>();
  private readonly reported = new Set<string>();

  constructor(private readonly parts: BatchParts) {
    this.monthEnds = new MonthEnds(parts);
  }

  /** Ends the months that are due. Those that have to be repeated are left for the next run. */
  run(stopping?: AbortSignal): Promise<void> {
    return this.sweep(async (merchantId, currency) => {
      return !stopping?.aborted && (await this.runOne(merchantId, currency));
    });
  }

  /** Ends the months of one merchant and currency that are due. */
  async runFor({ merchantId, currency }: MerchantCurrency): Promise<void> {
    await this.handleOne(merchantId, currency, (...of) => this.runOne(...of));
  }

  /** Merchants and currencies with a month that is due. */
  async pending(): Promise<readonly string[]> {
    await this.sweep(async (merchantId, currency) => {
      const merchant = await this.parts.authentication.readMerchant(merchantId);
      return !merchant || !(await this.monthEnds.isDue(merchant, currency));
    });
    return [...this.unfinished.keys()];
  }

  private async runOne(merchantId: string, currency: Currency): Promise<boolean> {
    const merchant = await this.parts.authentication.readMerchant(merchantId);
    return !merchant || this.monthEnds.run(merchant, currency);
  }

  private async sweep(handle: Handle): Promise<void> {
    for (const [key, { merchantId, currency }] of this.unfinished) {
      if (await this.handleOne(merchantId, currency, handle)) this.unfinished.delete(key);
    }
    const until = Math.floor(this.parts.clock.now() / STEP_MS) * STEP_MS;
    if (until <= this.checkedUntil || !mayHaveEnded(this.checkedUntil, until)) return;
    if (await this.scan(until, handle)) this.checkedUntil = until;
  }

  /** False if more merchants are unfinished than are kept: the scan is repeated. */
  private async scan(until: number, handle: Handle): Promise<boolean> {
    const monthStarts = new Map<string, number>();
    const hasEnded = ({ timeZone }: MerchantZone): boolean => {
      const known = monthStarts.get(timeZone) ?? startOfMonth(until, timeZone);
      monthStarts.set(timeZone, known);
      return known > this.checkedUntil;
    };
    let after: string | undefined;
    let keepsAll = true;
    do {
      const page = await this.parts.items.merchantZones({
        limit: PAGE_SIZE,
        ...(after !== undefined && { after }),
      });
      after = page.length < PAGE_SIZE ? undefined : page.at(-1)?.merchantId;
      const ended = page.filter(hasEnded);
      let next = 0;
      const handleNext = async (): Promise<void> => {
        while (next < ended.length) {
          const { merchantId } = ended[next++] as MerchantZone;
          for (const currency of CURRENCIES) {
            if (await this.handleOne(merchantId, currency, handle)) continue;
            if (this.unfinished.size >= UNFINISHED_MAX) keepsAll = false;
            else this.unfinished.set(`${merchantId} ${currency}`, { merchantId, currency });
          }
        }
      };
      await Promise.all(Array.from({ length: CONCURRENT_MERCHANTS_MAX }, handleNext));
    } while (after !== undefined);
    return keepsAll;
  }

  /** A failure is logged once for each merchant, because it occurs again every second. */
  private async handleOne(merchantId: string, currency: Currency, handle: Handle): Promise<boolean> {
    try {
      return await handle(merchantId, currency);
    } catch (error) {
      const isNew = !this.reported.has(merchantId) && this.reported.size < UNFINISHED_MAX;
      if (isNew) this.parts.log.error('month-end-failed', { merchantId, reason: errorMessage(error) });
      this.reported.add(merchantId);
      return false;
    }
  }
}

function startOfMonth(instant: number, timeZone: string): number {
  return startOfDate(`${monthOfDate(dateInZone(instant, timeZone))}-01`, timeZone);
}

/** Whether a month can have ended in some zone after `from` and until `until`, ms since 1970. */
function mayHaveEnded(from: number, until: number): boolean {
  const latest = new Date(until + AHEAD_OF_UTC_MS);
  return from < Date.UTC(latest.getUTCFullYear(), latest.getUTCMonth(), 1) + BEHIND_UTC_MS;
}
