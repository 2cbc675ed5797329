import { createHash } from 'node:crypto';
import {
  formatBatchId,
  batchHashInput,
  startClosing,
  openSince,
  streamOfBatch,
  type Batch,
  type BatchState,
  type Currency,
  type Merchant,
} from '@tillstream/domain';
import type { EventStore } from '@tillstream/event-store';
import { iso, type Clock } from '../ports/clock.port.js';
import type { Cause } from '../stream-repository/event-metadata.js';
import type { BatchRepository, LoadedBatch } from '../stream-repository/stream-repositories.js';
import type { ReadModelWriter } from '../read-model-write-through/read-model-writer.port.js';
import { writeThroughBatch } from '../read-model-write-through/write-through.js';

/** The open batch of a merchant and currency: one that is written down, or only virtual so far. */
export interface CurrentBatch {
  readonly merchantId: string;
  readonly currency: Currency;
  readonly id: string;
  readonly number: number;
  readonly openedAt: string;
  /** What moved before it was looked at already. RFC 3339. */
  readonly examinedUntil: string;
  readonly loaded: LoadedBatch;
}

const MOST_HINTS = 20_000;

export interface BatchRegisterParts {
  readonly store: EventStore;
  readonly batches: BatchRepository;
  readonly clock: Clock;
  readonly readModels: ReadModelWriter;
}

/**
 * Batches are numbered, and a number gives the stream: the last that exists is found by trying. The search begins where
 * the last one ended, so it is mostly two reads.
 */
export class BatchRegister {
  /** The greatest number that was seen to exist. */
  private readonly hints = new Map<string, number>();

  constructor(private readonly parts: BatchRegisterParts) {}

  async load(batchId: string): Promise<(LoadedBatch & { readonly state: Batch }) | undefined> {
    const stream = streamOfBatch(batchId);
    const loaded = stream === undefined ? undefined : await this.parts.batches.load(stream);
    return loaded && isWritten(loaded) ? loaded : undefined;
  }

  async current(merchant: Merchant, currency: Currency): Promise<CurrentBatch> {
    const number = await this.lastNumber(merchant.id, currency);
    const of = { merchantId: merchant.id, currency };
    if (number === 0) return this.unwrittenBatch(of, 1, merchant.createdAt);
    const id = batchIdFor(merchant.id, currency, number);
    const loaded = await this.parts.batches.load(requireBatchStream(id));
    const { state } = loaded;
    if (state.status === 'None') throw new Error(`batch ${id} was seen and is not there`);
    if (state.status === 'Closed') return this.unwrittenBatch(of, number + 1, cutOffOf(state));
    return { ...of, id, number, openedAt: state.openedAt, examinedUntil: openSince(state), loaded };
  }

  /** Whether anybody ever closed one. */
  async exists(merchantId: string, currency: Currency): Promise<boolean> {
    return (await this.lastNumber(merchantId, currency)) > 0;
  }

  /** Gives the batch as it is then: somebody else may have been faster. */
  async startClosing(
    { id, merchantId, currency, number, openedAt, loaded: known }: CurrentBatch,
    { cutOffAt, cause, by }: { cutOffAt: string; cause: 'CutOff' | 'Operator'; by: Cause },
  ): Promise<LoadedBatch> {
    const { batches, clock, readModels } = this.parts;
    const opening = { batchId: id, merchantId, currency, number, openedAt };
    const at = iso(clock.now());
    const written = await batches.transact(
      known.stream,
      by,
      (state) => startClosing(state, { at, cutOffAt, cause, opening }),
      { known },
    );
    if (written.kind !== 'Written') return batches.load(known.stream);
    await writeThroughBatch(readModels, written.loaded);
    return written.loaded;
  }

  private unwrittenBatch(
    of: Pick<CurrentBatch, 'merchantId' | 'currency'>,
    number: number,
    openedAt: string,
  ): CurrentBatch {
    const id = batchIdFor(of.merchantId, of.currency, number);
    return {
      ...of,
      id,
      number,
      openedAt,
      examinedUntil: openedAt,
      loaded: this.parts.batches.emptyStream(requireBatchStream(id)),
    };
  }

  /** Numbers have no gaps: a batch is opened when the one before is closed. 0: there is none. */
  private async lastNumber(merchantId: string, currency: Currency): Promise<number> {
    const key = `${merchantId} ${currency}`;
    const isThere = (number: number): Promise<boolean> =>
      this.streamExists(requireBatchStream(batchIdFor(merchantId, currency, number)));
    let there = this.hints.get(key) ?? 0;
    let step = 1;
    while (await isThere(there + step)) {
      there += step;
      step *= 2;
    }
    for (let missing = there + step; missing - there > 1;) {
      const middle = (there + missing) >> 1;
      if (await isThere(middle)) there = middle;
      else missing = middle;
    }
    this.remember(key, there);
    return there;
  }

  private async streamExists(stream: string): Promise<boolean> {
    return (await this.parts.store.readStream(stream, { limit: 1 })).events.length > 0;
  }

  private remember(key: string, number: number): void {
    this.hints.delete(key);
    this.hints.set(key, number);
    if (this.hints.size > MOST_HINTS) this.hints.delete(this.hints.keys().next().value ?? '');
  }
}

export function batchIdFor(merchantId: string, currency: string, number: number): string {
  return formatBatchId(
    createHash('sha256')
      .update(batchHashInput(merchantId, currency, number))
      .digest(),
  );
}

export function isWritten(loaded: LoadedBatch): loaded is LoadedBatch & { readonly state: Batch } {
  return loaded.state.status !== 'None';
}

function requireBatchStream(batchId: string): string {
  return streamOfBatch(batchId) ?? '';
}

function cutOffOf({ openedAt, closing }: Exclude<BatchState, { status: 'None' }>): string {
  return closing?.cutOffAt ?? openedAt;
}
