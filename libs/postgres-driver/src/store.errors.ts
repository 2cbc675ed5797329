import { EventStoreError } from '@tillstream/event-store';
import { PostgresError } from './postgres.errors.js';

/** Runs `work`, and rejects as all stores of the service do. A defect of the program stays the error that it is. */
export async function asStore<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof PostgresError) || error.code === 'Refused') throw error;
    const code = error.code === 'Unknown' ? 'Unknown' : 'Unavailable';
    throw new EventStoreError(code, `the database: ${error.message}`, { cause: error });
  }
}
