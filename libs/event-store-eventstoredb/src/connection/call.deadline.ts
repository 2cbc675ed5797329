import type { DriverClient } from './driver.client.js';
import type { Fault } from './error.mapping.js';

/** One attempt of a call, on one client. */
export interface CallAttempt {
  readonly client: DriverClient;
  /** Until the call is given up, ms. */
  remainingMs(): number;
  /** What ends the call at the driver when it is given up: the driver would go on with it. */
  onCancel: (() => void) | undefined;
  /** Whether what can't be taken back has left; left out: with the try. */
  isSent?: () => boolean;
}

/** The call ended without an answer. */
export class CallFailed extends Error {
  constructor(readonly fault: Fault) {
    super(fault.kind);
  }
}

/**
 * Runs one try until `end` (of `performance.now()`) or until it is stopped, then rejects with `CallFailed`. The timer is
 * ours: the driver has none for reads, counts that of appends from when the connection stands, and takes the clock,
 * which may be set.
 */
export async function withinDeadline<T>(
  client: DriverClient,
  end: number,
  attempt: (turn: CallAttempt) => Promise<T>,
  stopped?: AbortSignal,
): Promise<T> {
  const begin = performance.now();
  const turn: CallAttempt = { client, remainingMs: () => end - performance.now(), onCancel: undefined };
  let connected = false;
  let givenUp = false;
  let timer: NodeJS.Timeout | undefined;
  const run = async (): Promise<T> => {
    await client.connect();
    // Nothing may be sent any more once the caller was told that it was not.
    if (givenUp) throw new CallFailed(notConnected(end - begin));
    connected = true;
    return attempt(turn);
  };
  let giveUp: () => void = () => undefined;
  const late = new Promise<never>((_, reject) => {
    giveUp = () => {
      givenUp = true;
      turn.onCancel?.();
      const isSent = connected && turn.isSent?.() !== false;
      reject(new CallFailed(isSent ? noResponse(end - begin) : notConnected(end - begin)));
    };
    timer = setTimeout(giveUp, Math.max(0, end - begin));
    stopped?.addEventListener('abort', giveUp);
  });
  try {
    return await Promise.race([run(), late]);
  } finally {
    clearTimeout(timer);
    stopped?.removeEventListener('abort', giveUp);
  }
}

function noResponse(ms: number): Fault {
  return { kind: 'Lost', reason: `no answer within ${Math.round(ms)} ms`, late: true };
}

function notConnected(ms: number): Fault {
  return { kind: 'NotServed', reason: `no connection within ${Math.round(ms)} ms` };
}
