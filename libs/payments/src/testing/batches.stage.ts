import {
  batchCodec,
  foldBatch,
  PAYMENT_CATEGORY,
  streamOfBatch,
  type Batch,
  type Currency,
} from '@tillstream/domain';
import { MemoryLeases, type Leases } from '@tillstream/event-consumers';
import { readWholeStream, type EventStore, type Position, type RecordedEvent } from '@tillstream/event-store';
import { fromRecorded } from '../event-metadata.js';
import { idOf, PaymentsStage } from './payments.stage.js';
import type { BatchItems } from '../batches/batch-items.port.js';
import { batchIdFor } from '../batches/batch.book.js';
import { createBatches } from '../batches/batches.js';
import type { Batches } from '../batches/batches.types.js';
import { MemoryBatchItems } from '../batches/memory-batch-items.js';

export const operator = { type: 'Operator', name: 'Olga' } as const;
/** A void of this amount is done, and its answer never comes. */
export const NO_ANSWER = 920_001;

/* A stage with batches beside, one for each test. */

export let stage: PaymentsStage;
export let batches: Batches;

export async function openBatchesStage(): Promise<void> {
  stage = await PaymentsStage.open();
  batches = another();
}

export async function closeBatchesStage(): Promise<void> {
  await batches.stop();
  await stage.close();
}

/** As a process of its own does: nothing keeps it from doing the same work at the same time. */
export function another(
  items: BatchItems = new MemoryBatchItems(stage.memory),
  leases: Leases = new MemoryLeases(),
): Batches {
  return createBatches({
    store: stage.store,
    clock: stage.clock,
    log: { info: () => undefined, warn: () => undefined, error: (event) => void stage.alerts.push(event) },
    readModels: { written: async (stream) => void stage.told.push(stream) },
    items,
    leases,
  });
}

export const at = (time: string): void => {
  const ms = Date.parse(time) - stage.clock.now();
  stage.clock.ahead += ms;
  stage.clock.monotonic += 3_000;
};
export const close = (currency?: Currency, by = batches) => {
  // What moved in the millisecond of the command belongs to the next batch.
  stage.clock.pass(1);
  const request = { actor: operator, merchantId: stage.merchant.id, waitMs: 5_000 };
  return by.close({ ...request, ...(currency && { currency }) });
};
export const closedNow = async (currency: Currency = 'USD') => {
  const answer = await close(currency);
  if (!Array.isArray(answer)) throw new Error(JSON.stringify(answer));
  return answer[0] as Awaited<ReturnType<Batches['find']>>;
};
export const batch = async (number: number, currency: Currency = 'USD'): Promise<Batch | undefined> => {
  const id = batchIdFor(stage.merchant.id, currency, number);
  const recorded = await readWholeStream(stage.memory, streamOfBatch(id) ?? '');
  const state = foldBatch(recorded.map((one) => fromRecorded(batchCodec, one)));
  return state.status === 'None' ? undefined : state;
};
export const batchOf = async (id: string) => (await stage.operation(id)).batch;
export const saleOf = async (amount: number, more: object = {}) => idOf(await stage.sale(amount, more));
export const voidOf = async (originalTransactionId: string, amount?: number) =>
  idOf(
    await stage.module.payments.void(stage.context(), {
      originalTransactionId,
      ...(amount !== undefined && { amount }),
    } as never),
  );

/** Of every `Batched` event in the store, without asking anybody. */
export async function booked(): Promise<Map<string, { count: number; amount: number }>> {
  const sums = new Map<string, { count: number; amount: number }>();
  const { events } = await stage.memory.readAll({ categories: [PAYMENT_CATEGORY] });
  for (const { type, data } of events) {
    if (type !== 'Batched') continue;
    const { count, amount } = sums.get(String(data['batchId'])) ?? { count: 0, amount: 0 };
    sums.set(String(data['batchId']), { count: count + 1, amount: amount + Number(data['amount']) });
  }
  return sums;
}

/** Rows that show an event only some time after it was written, and say so. */
export function lateItems(lateMs: number): BatchItems {
  const firstSeen = new Map<string, number>();
  const visible = ({ id }: RecordedEvent): boolean => {
    const now = performance.now();
    const since = firstSeen.get(id) ?? now;
    firstSeen.set(id, since);
    return now - since >= lateMs;
  };
  const late = Object.create(stage.memory) as EventStore;
  late.readAll = async (options) => {
    const page = await stage.memory.readAll(options);
    const hidden = page.events.map(visible).indexOf(false);
    if (hidden < 0) return page;
    const events = page.events.slice(0, hidden);
    const next = events.at(-1)?.position ?? options?.after;
    return { events, end: true, ...(next !== undefined && { next }) };
  };
  const items = new MemoryBatchItems(late);
  const shows = async (asOf: Position): Promise<boolean> => {
    const { events } = await stage.memory.readAll({ categories: [PAYMENT_CATEGORY] });
    return events
      .filter(({ position }) => stage.memory.comparePositions(position, asOf) < 0)
      .map(visible)
      .every(Boolean);
  };
  return {
    waiting: () => items.waiting(),
    oldestSince: (...of) => items.oldestSince(...of),
    sumOfUnbatched: (of) => items.sumOfUnbatched(of),
    closing: async (limit) => new MemoryBatchItems(stage.memory).closing(limit),
    unbatched: async (of) => ((await shows(of.asOf)) ? items.unbatched(of) : undefined),
    taken: async (id, asOf) => ((await shows(asOf)) ? items.taken(id) : undefined),
  };
}
