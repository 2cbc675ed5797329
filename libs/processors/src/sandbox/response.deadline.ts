import { setTimeout as pause } from 'node:timers/promises';
import type { ProcessorResponse, AttemptCall } from '../processor.port.js';

/** Resolves with `NoAnswer` at the deadline; a later response goes to `onLateResponse`. Does not keep the process alive. */
export function responseByDeadline(
  respond: () => ProcessorResponse | undefined,
  afterMs: number | undefined,
  call: AttemptCall,
  deadlineMs: number,
): Promise<ProcessorResponse> {
  return new Promise((resolve) => {
    let isOver = false;
    const deadline = setTimeout(() => {
      isOver = true;
      resolve({ kind: 'NoAnswer' });
    }, deadlineMs).unref();
    if (afterMs === undefined) return;
    setTimeout(() => {
      const response = respond();
      if (!response) return;
      if (isOver) {
        call.onLateResponse?.(response);
      } else {
        clearTimeout(deadline);
        resolve(response);
      }
    }, afterMs).unref();
  });
}

const POLL_INTERVAL_MS = 100;

/** Resolves with the first result of `poll`, or with undefined at the deadline. Does not keep the process alive. */
export async function pollUntilDeadline<Result>(
  poll: () => Result | undefined,
  deadlineMs: number,
): Promise<{ readonly result: Result; readonly leftMs: number } | undefined> {
  const until = performance.now() + deadlineMs;
  for (let leftMs = deadlineMs; leftMs > 0; leftMs = until - performance.now()) {
    const pauseMs = Math.min(POLL_INTERVAL_MS, leftMs);
    await pause(pauseMs, undefined, { ref: false });
    const result = poll();
    if (result !== undefined) return { result, leftMs: Math.max(0, until - performance.now()) };
  }
  return undefined;
}
