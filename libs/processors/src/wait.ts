import type { Answer, Call } from './processor.port.js';

/** `NoAnswer` at the deadline; what comes later goes to `onLateAnswer`. Neither keeps a process alive. */
export function waitFor(
  answer: () => Answer | undefined,
  afterMs: number | undefined,
  call: Call,
  deadlineMs: number,
): Promise<Answer> {
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
        call.onLateAnswer?.(came);
      } else {
        clearTimeout(deadline);
        resolve(came);
      }
    }, afterMs).unref();
  });
}
