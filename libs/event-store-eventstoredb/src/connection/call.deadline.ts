import type { DriverClient } from './driver.client.js';
import { CallFailed, type Fault } from './error.mapping.js';

/** One attempt of a call, on one client. */
export interface CallAttempt {
  readonly client: DriverClient;
  /** Time until the deadline, ms. */
  remainingMs(): number;
  /** Ends the call at the driver, which would otherwise continue with it. */
  onCancel: (() => void) | undefined;
  /** Whether an append has been sent. Left out: the attempt counts as sent once the client is connected. */
  isSent?: () => boolean;
}

export type CallWork<T> = (attempt: CallAttempt) => Promise<T>;

/**
 * Runs one attempt until `end` (of `performance.now()`) or until `stopped`, then rejects with `CallFailed`. The driver's own
 * timers are not enough: it has none for reads, and that of appends starts when the connection is open and uses the wall
 * clock, which may be set.
 */
export async function withinDeadline<T>(
  client: DriverClient,
  end: number,
  work: CallWork<T>,
  stopped?: AbortSignal,
): Promise<T> {
  const timeoutMs = Math.max(0, end - performance.now());
  const within = `within ${Math.round(timeoutMs)} ms`;
  const notConnected: Fault = { kind: 'NotServed', reason: `no connection ${within}` };
  const attempt: CallAttempt = { client, remainingMs: () => end - performance.now(), onCancel: undefined };
  let isConnected = false;
  let isCancelled = false;
  let cancel: () => void = () => undefined;
  const run = async (): Promise<T> => {
    await client.connect();
    // The caller was answered that nothing was sent, so nothing may be sent any more.
    if (isCancelled) throw new CallFailed(notConnected);
    isConnected = true;
    return work(attempt);
  };
  const cancelled = new Promise<never>((_, reject) => {
    cancel = () => {
      isCancelled = true;
      attempt.onCancel?.();
      const isSent = isConnected && attempt.isSent?.() !== false;
      const noAnswer: Fault = { kind: 'Lost', reason: `no answer ${within}`, late: true };
      reject(new CallFailed(isSent ? noAnswer : notConnected));
    };
  });
  const timer = setTimeout(cancel, timeoutMs);
  stopped?.addEventListener('abort', cancel);
  try {
    return await Promise.race([run(), cancelled]);
  } finally {
    clearTimeout(timer);
    stopped?.removeEventListener('abort', cancel);
  }
}
