import type { Refusal, SandboxLine, SandboxPath } from './sandbox.line.js';

/** `strange`: something answered, and not as a sandbox does. */
export type Asked<Line> =
  | { readonly kind: 'Answered'; readonly line: Line }
  | { readonly kind: 'Refused'; readonly refusal: Refusal }
  | { readonly kind: 'Unanswered'; readonly strange: boolean };

/** One question, one line for an answer, in time. */
export function ask<Line extends { readonly callId: string }>(
  line: SandboxLine,
  path: SandboxPath,
  body: object,
  deadlineMs: number,
  reads: (value: unknown) => value is Line,
): Promise<Asked<Line>> {
  return new Promise((resolve) => {
    let isOver = false;
    const settle = (asked: Asked<Line>): void => {
      isOver = true;
      clearTimeout(deadline);
      resolve(asked);
    };
    const deadline = setTimeout(() => {
      underway.abandon();
      settle({ kind: 'Unanswered', strange: false });
    }, deadlineMs);
    const underway = line.call(path, body, {
      connectWithinMs: deadlineMs,
      mayWrite: () => !isOver,
      reads,
      refused: (refusal) => settle({ kind: 'Refused', refusal }),
      line: (answer) => {
        underway.finish();
        settle({ kind: 'Answered', line: answer });
      },
      over: (strange) => settle({ kind: 'Unanswered', strange }),
    });
  });
}
