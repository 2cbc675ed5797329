import type { ReadModels, WrittenStream } from '../read-models.types.js';
import { MERCHANTS } from './happenings.testing.js';
import type { Happened, Lives } from './lives.testing.js';

/** The next thing that happens to one of the streams. */
export async function something(lives: Lives): Promise<Happened> {
  for (;;) {
    const one = await lives.next();
    if (one) return one;
  }
}

/** As the process that appended hands it over. */
export function written({ stream, state, appended }: Happened): WrittenStream {
  return { stream, state, events: appended };
}

export function operationIn({ appended }: Happened): string {
  return String(appended[0]?.data['operationId']);
}

/** Whether the list of transactions has an operation. */
export async function isListed({ queries }: Pick<ReadModels, 'queries'>, id: string): Promise<boolean> {
  const both = MERCHANTS.map((merchantId) =>
    queries.transactions.list({ merchantId, filters: { id: [id] }, limit: 1 }),
  );
  return (await Promise.all(both)).some(({ items }) => items[0]?.id === id);
}
