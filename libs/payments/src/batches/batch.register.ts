import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import {
  adjustBatch,
  formatBatchId,
  batchHashInput,
  startClosing,
  openSince,
  streamOfBatch,
  waitsForSettlements,
  type Adjustment,
  type Batch,
  type BatchRejection,
  type Currency,
  type Merchant,
} from '@tillstream/domain';
import { iso } from '../ports/clock.port.js';
import type { Cause } from '../stream-repository/event-metadata.js';
import {
  type LoadedBatch,
  type LoadedStream,
  isStored,
  UNTIL_WRITTEN,
} from '../stream-repository/repositories.js';
import { writeThrough } from '../read-model-write-through/write-through.js';
import type { BatchParts } from './batches.js';

/**
 * The batch of a merchant and currency that is open, closing, or closed without its settlements. An open batch has no events
 * before its first closing starts.
 */
export interface CurrentBatch {
  readonly merchantId: string;
  readonly currency: Currency;
  readonly id: string;
  readonly number: number;
  readonly openedAt: string;
  /** RFC 3339: earlier closings examined the items before this time. */
  readonly examinedUntil: string;
  readonly loaded: LoadedBatch;
}

/** A merchant has one open batch of each. */
export const CURRENCIES: readonly Currency[] = ['USD', 'CAD'];
const HINTS_MAX = 20_000;

/**
 * Finds and starts to close the batches of a merchant and currency. They are numbered from 1 without gaps, and the number
 * gives the stream, so the register searches for the last stream that exists. A hint reduces most searches to two reads.
 */
export class BatchRegister {
  /** By merchant and currency: the greatest number that was found. */
  private readonly hints = new LRUCache<string, number>({ max: HINTS_MAX });

  constructor(private readonly parts: Pick<BatchParts, 'store' | 'batches' | 'clock' | 'readModels'>) {}

  async load(batchId: string): Promise<LoadedStream<Batch> | undefined> {
    const stream = streamOfBatch(batchId);
    const loaded = stream === undefined ? undefined : await this.parts.batches.load(stream);
    return loaded && isStored(loaded) ? loaded : undefined;
  }

  async current(merchant: Merchant, currency: Currency): Promise<CurrentBatch> {
    const number = await this.lastNumber(merchant.id, currency);
    const of = { merchantId: merchant.id, currency };
    if (number === 0) return this.unwrittenBatch(of, 1, merchant.createdAt);
    const id = batchIdFor(merchant.id, currency, number);
    const loaded = await this.parts.batches.load(requireBatchStream(id));
    if (!isStored(loaded)) throw new Error(`the stream of batch ${id} is empty`);
    const { status, openedAt, closing } = loaded.state;
    if (status === 'Closed' && !waitsForSettlements(loaded.state))
      return this.unwrittenBatch(of, number + 1, closing?.cutOffAt ?? openedAt);
    return { ...of, id, number, openedAt, examinedUntil: openSince(loaded.state), loaded };
  }

  /** Whether a closing was ever started. */
  async exists(merchantId: string, currency: Currency): Promise<boolean> {
    return (await this.lastNumber(merchantId, currency)) > 0;
  }

  /** Returns the batch after the start. Another process may have started its closing first. */
  async startClosing(
    { id, merchantId, currency, number, openedAt, loaded: known }: CurrentBatch,
    { cutOffAt, cause, by }: { cutOffAt: string; cause: 'CutOff' | 'Operator'; by: Cause },
  ): Promise<LoadedBatch> {
    const { batches, clock, readModels } = this.parts;
    const opening = { batchId: id, merchantId, currency, number, openedAt };
    const at = iso(clock.now());
    const written = await batches.transact(known, by, (state) =>
      startClosing(state, { at, cutOffAt, cause, opening }),
    );
    if (written.kind !== 'Written') return batches.load(known.stream);
    await writeThrough(readModels, written.loaded);
    return written.loaded;
  }

  /** Records adjustments in an open batch. Returns the reason if the batch does not take them. */
  async adjust(
    { id, merchantId, currency, number, openedAt, loaded: known }: CurrentBatch,
    adjustments: readonly Adjustment[],
    by: Cause,
  ): Promise<BatchRejection['code'] | undefined> {
    const { batches, clock, readModels } = this.parts;
    const opening = { at: iso(clock.now()), batchId: id, merchantId, currency, number, openedAt };
    const written = await batches.transact(known, by, (state) => adjustBatch(state, opening, adjustments), {
      decisionsMax: UNTIL_WRITTEN,
    });
    if (written.kind === 'Rejected') return written.rejection.code;
    if (written.kind === 'Contended') throw new Error(`the adjustments of batch ${id} were not written`);
    await writeThrough(readModels, written.loaded);
    return undefined;
  }

  private unwrittenBatch(
    of: Pick<CurrentBatch, 'merchantId' | 'currency'>,
    number: number,
    openedAt: string,
  ): CurrentBatch {
    const id = batchIdFor(of.merchantId, of.currency, number);
    const loaded = this.parts.batches.emptyStream(requireBatchStream(id));
    return { ...of, id, number, openedAt, examinedUntil: openedAt, loaded };
  }

  /** 0 if no batch has a stream. Doubles the step past the last one, then halves the interval. */
  private async lastNumber(merchantId: string, currency: Currency): Promise<number> {
    const key = `${merchantId} ${currency}`;
    const exists = async (number: number): Promise<boolean> => {
      const stream = requireBatchStream(batchIdFor(merchantId, currency, number));
      return (await this.parts.store.readStream(stream, { limit: 1 })).events.length > 0;
    };
    let existing = this.hints.get(key) ?? 0;
    let step = 1;
    while (await exists(existing + step)) {
      existing += step;
      step *= 2;
    }
    for (let missing = existing + step; missing - existing > 1;) {
      const middle = (existing + missing) >> 1;
      if (await exists(middle)) existing = middle;
      else missing = middle;
    }
    this.hints.set(key, existing);
    return existing;
  }
}

export function batchIdFor(merchantId: string, currency: string, number: number): string {
  return formatBatchId(hash('sha256', batchHashInput(merchantId, currency, number), 'buffer'));
}

function requireBatchStream(batchId: string): string {
  return streamOfBatch(batchId) ?? '';
}
