import { EventStoreError } from '@tillstream/event-store';
import { PostgresError } from './postgres.errors.js';

/**
 * Runs `work`, and rejects as all stores of the service do. A defect of the program stays the error that it is.
 * @param ifUnknown the code if it is not known whether `work` was committed
 */
export async function asStore<T>(
  work: () => Promise<T>,
  ifUnknown: 'Unknown' | 'Unavailable' = 'Unknown',
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof PostgresError) || error.code === 'Refused') throw error;
    const code = error.code === 'Unknown' ? ifUnknown : 'Unavailable';
    throw new EventStoreError(code, `the database: ${error.message}`, { cause: error });
  }
}
