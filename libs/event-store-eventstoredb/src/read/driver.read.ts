import type { StreamingRead } from '@eventstore/db-client';
import type { CallAttempt } from '../connection/call.deadline.js';

/**
 * Passes each item of a bounded read to `take` until `take` returns false or throws, or the read ends. Rejects with the
 * driver's error. `attempt.onCancel` ends the read.
 */
export function readEach<Item>(
  reading: StreamingRead<Item>,
  attempt: Pick<CallAttempt, 'onCancel'>,
  take: (item: Item) => boolean,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let done = false;
    const leave = (): void => {
      if (done) return;
      done = true;
      reading.cancel().catch(() => undefined);
      reading.destroy();
    };
    attempt.onCancel = leave;
    reading.on('data', (item) => {
      if (done) return;
      try {
        if (take(item)) return;
        resolve();
      } catch (error) {
        reject(error as Error);
      }
      leave();
    });
    // The listener stays: the driver may emit more errors, and an unhandled one ends the process.
    reading.on('error', (error) => {
      reject(error);
      leave();
    });
    reading.on('end', () => {
      done = true;
      resolve();
    });
    reading.on('close', () => {
      done = true;
      reject(new Error('the reading was closed'));
    });
  });
}
