import type { ReadModels, WrittenStream } from '../read-models.types.js';
import { MERCHANTS } from './random-decisions.testing.js';
import type { RandomAppend, RandomHistories } from './random-histories.testing.js';

/** The next thing that happens to one of the streams. */
export async function nextAppend(lives: RandomHistories): Promise<RandomAppend> {
  for (;;) {
    const one = await lives.appendNext();
    if (one) return one;
  }
}

/** As the process that appended hands it over. */
export function toWrittenStream({ stream, state, appended }: RandomAppend): WrittenStream {
  return { stream, state, events: appended };
}

export function appendedOperationId({ appended }: RandomAppend): string {
  return String(appended[0]?.data['operationId']);
}

/** Whether the list of transactions has an operation. */
export async function isListed({ queries }: Pick<ReadModels, 'queries'>, id: string): Promise<boolean> {
  const both = MERCHANTS.map((merchantId) =>
    queries.transactions.list({ merchantId, filters: { id: [id] }, limit: 1 }),
  );
  return (await Promise.all(both)).some(({ items }) => items[0]?.id === id);
}
