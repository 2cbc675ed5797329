import type { ReadModels, WrittenStream } from '../read-models.types.js';
import { MERCHANTS } from './random-decisions.testing.js';
import type { RandomAppend, RandomHistories } from './random-histories.testing.js';

/** Appends random events to one of the streams. */
export async function nextAppend(histories: RandomHistories): Promise<RandomAppend> {
  for (;;) {
    const append = await histories.appendNext();
    if (append) return append;
  }
}

/** The argument that an appending process gives to `writeThrough`. */
export function toWrittenStream({ stream, state, appended }: RandomAppend): WrittenStream {
  return { stream, state, events: appended };
}

export function appendedOperationId({ appended }: RandomAppend): string {
  return String(appended[0]?.data['operationId']);
}

/** Whether the list of transactions has the operation. */
export async function isListed({ queries }: Pick<ReadModels, 'queries'>, id: string): Promise<boolean> {
  const both = MERCHANTS.map((merchantId) =>
    queries.transactions.list({ merchantId, filters: { id: [id] }, limit: 1 }),
  );
  return (await Promise.all(both)).some(({ items }) => items[0]?.id === id);
}
