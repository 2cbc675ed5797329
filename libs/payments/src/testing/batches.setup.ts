import {
  batchCodec,
  foldBatch,
  PAYMENT_CATEGORY,
  streamOfBatch,
  type Batch,
  type Currency,
} from '@tillstream/domain';
import type { Leases } from '@tillstream/event-consumers';
import { MemoryLeases } from '@tillstream/event-consumers/testing';
import { readWholeStream, type EventStore, type Position, type RecordedEvent } from '@tillstream/event-store';
import { fromRecorded } from '../stream-repository/event-metadata.js';
import { requireOperationId, PaymentsTestSetup } from './payments.setup.js';
import type { BatchItems } from '../batches/batch-items.port.js';
import { batchIdFor } from '../batches/batch.register.js';
import { createBatches, type Batches, type BatchesDependencies } from '../batches/batches.js';
import { MemoryBatchItems } from './memory-batch-items.js';

export const operator = { type: 'Operator', name: 'Olga' } as const;
/** The sandbox executes an operation of this amount and never answers. */
export const NO_ANSWER = 920_001;

/* Payments and batches in memory, opened again for each test. */

export let setup: PaymentsTestSetup;
export let batches: Batches;

export async function openBatchesSetup(): Promise<void> {
  setup = await PaymentsTestSetup.open();
  batches = createOtherBatches();
}

export async function closeBatchesSetup(): Promise<void> {
  await batches.stop();
  await setup.close();
}

/** The batches of another process. It may do the same work at the same time. */
export function createOtherBatches(
  items: BatchItems = new MemoryBatchItems(setup.memory),
  leases: Leases = new MemoryLeases(),
  more: Partial<BatchesDependencies> = {},
): Batches {
  return createBatches({
    store: setup.store,
    clock: setup.clock,
    log: { info: () => undefined, warn: () => undefined, error: (event) => void setup.alerts.push(event) },
    readModels: { writeThrough: async (stream) => void setup.writtenStreams.push(stream) },
    items,
    leases,
    bankHolidays: () => Promise.resolve([]),
    fundsByClock: true,
    ...more,
  });
}

export const moveClockTo = (time: string): void => {
  const ms = Date.parse(time) - setup.clock.now();
  setup.clock.ahead += ms;
  setup.clock.monotonic += 3_000;
};
export const closeBatches = (currency?: Currency, by = batches) => {
  // Items of the command's own millisecond belong to the next batch.
  setup.clock.pass(1);
  const request = { actor: operator, merchantId: setup.merchant.id, waitMs: 5_000 };
  return by.close({ ...request, ...(currency && { currency }) });
};
export const closeFirstBatch = async (currency: Currency = 'USD') => {
  const answer = await closeBatches(currency);
  if (!Array.isArray(answer)) throw new Error(JSON.stringify(answer));
  return answer[0] as Awaited<ReturnType<Batches['find']>>;
};
export const loadBatch = async (number: number, currency: Currency = 'USD'): Promise<Batch | undefined> => {
  const id = batchIdFor(setup.merchant.id, currency, number);
  const recorded = await readWholeStream(setup.memory, streamOfBatch(id) ?? '');
  const state = foldBatch(recorded.map((one) => fromRecorded(batchCodec, one)));
  return state.status === 'None' ? undefined : state;
};
export const batchOfOperation = async (id: string) => (await setup.operation(id)).batch;
export const saleOf = async (amount: number, more: object = {}) =>
  requireOperationId(await setup.sale(amount, more));
export const voidOf = async (originalTransactionId: string, amount?: number) =>
  requireOperationId(
    await setup.useCases.payments.void(setup.context(), {
      originalTransactionId,
      ...(amount !== undefined && { amount }),
    } as never),
  );

/** By batch id: the sums of all `Batched` events in the store. */
export async function batchedTotals(): Promise<Map<string, { count: number; amount: number }>> {
  const sums = new Map<string, { count: number; amount: number }>();
  const { events } = await setup.memory.readAll({ categories: [PAYMENT_CATEGORY] });
  for (const { type, data } of events) {
    if (type !== 'Batched') continue;
    const { count, amount } = sums.get(String(data['batchId'])) ?? { count: 0, amount: 0 };
    sums.set(String(data['batchId']), { count: count + 1, amount: amount + Number(data['amount']) });
  }
  return sums;
}

/** Rows that lag `lateMs` behind the events and know it: they return undefined while they lack an event. */
export function delayedItems(lateMs: number): BatchItems {
  const firstSeen = new Map<string, number>();
  const visible = ({ id }: RecordedEvent): boolean => {
    const now = performance.now();
    const since = firstSeen.get(id) ?? now;
    firstSeen.set(id, since);
    return now - since >= lateMs;
  };
  const late = Object.create(setup.memory) as EventStore;
  late.readAll = async (options) => {
    const page = await setup.memory.readAll(options);
    const hidden = page.events.map(visible).indexOf(false);
    if (hidden < 0) return page;
    const events = page.events.slice(0, hidden);
    const next = events.at(-1)?.position ?? options?.after;
    return { events, end: true, ...(next !== undefined && { next }) };
  };
  const items = new MemoryBatchItems(late);
  const shows = async (asOf: Position): Promise<boolean> => {
    const { events } = await setup.memory.readAll();
    return events
      .filter(({ position }) => setup.memory.comparePositions(position, asOf) < 0)
      .map(visible)
      .every(Boolean);
  };
  return {
    merchantsWithUnbatched: () => items.merchantsWithUnbatched(),
    oldestUnbatchedSince: (...of) => items.oldestUnbatchedSince(...of),
    adjustedBatches: () => items.adjustedBatches(),
    merchantZones: (of) => items.merchantZones(of),
    sumOfUnbatched: (of) => items.sumOfUnbatched(of),
    closingBatchIds: async (limit) => new MemoryBatchItems(setup.memory).closingBatchIds(limit),
    settlementsDueBefore: (...of) => new MemoryBatchItems(setup.memory).settlementsDueBefore(...of),
    batchRows: async (of) => ((await shows(of.asOf)) ? items.batchRows(of) : undefined),
    unbatched: async (of) => ((await shows(of.asOf)) ? items.unbatched(of) : undefined),
    batchSums: async (id, asOf) => ((await shows(asOf)) ? items.batchSums(id) : undefined),
  };
}
