import type { ProcessorResponse, AttemptCall } from '../processor.port.js';

/** `NoAnswer` at the deadline; what comes later goes to `onLateResponse`. Neither keeps a process alive. */
export function responseByDeadline(
  answer: () => ProcessorResponse | undefined,
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
      const came = answer();
      if (!came) return;
      if (isOver) {
        call.onLateResponse?.(came);
      } else {
        clearTimeout(deadline);
        resolve(came);
      }
    }, afterMs).unref();
  });
}

const POLL_INTERVAL_MS = 100;

/** Looks again and again until something came, or the deadline did. Keeps no process alive. */
export async function pollUntilDeadline<T>(
  look: () => T | undefined,
  deadlineMs: number,
): Promise<{ readonly came: T; readonly leftMs: number } | undefined> {
  const until = performance.now() + deadlineMs;
  for (let leftMs = deadlineMs; leftMs > 0; leftMs = until - performance.now()) {
    const pauseMs = Math.min(POLL_INTERVAL_MS, leftMs);
    await new Promise<void>((resume) => setTimeout(resume, pauseMs).unref());
    const came = look();
    if (came !== undefined) return { came, leftMs: Math.max(0, until - performance.now()) };
  }
  return undefined;
}
