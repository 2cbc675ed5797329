import type { StreamingRead } from '@eventstore/db-client';

/** Who may give up the call before it is over. */
export interface Cancellable {
  onCancel: (() => void) | undefined;
}

/**
 * Hands each item of a bounded reading to `take` until it gives false or throws, or the reading is over. Rejects with
 * the driver's error.
 */
export function readEach<Item>(
  reading: StreamingRead<Item>,
  turn: Cancellable,
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
    turn.onCancel = leave;
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
    // It stays: the driver may tell more errors after the first, and one that nobody hears ends the process.
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

/** To the end, whatever it holds. */
export function readToEnd<Item>(reading: StreamingRead<Item>): Promise<void> {
  return readEach(reading, { onCancel: undefined }, () => true);
}
