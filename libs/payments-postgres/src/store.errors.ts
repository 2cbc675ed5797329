import { EventStoreError } from '@tillstream/event-store';
import { PostgresError } from '@tillstream/postgres-driver';

/**
 * As `asStore`, for a reservation of a key. Its result may be unknown, but its request is certainly not written yet: a repeat
 * finds the reservation, if there is one, and no operation under it.
 */
export async function asReservation<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof PostgresError) || error.code === 'Refused') throw error;
    throw new EventStoreError('Unavailable', `the database: ${error.message}`, { cause: error });
  }
}
