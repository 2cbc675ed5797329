import type { NotExecutedReason, SandboxClient, SandboxPath } from './sandbox.client.js';

/** `unexpectedLineReport`: something answered, and not as a sandbox does. */
export type QueryResult<Line> =
  | { readonly kind: 'Answered'; readonly line: Line }
  | { readonly kind: 'Refused'; readonly refusal: NotExecutedReason }
  | { readonly kind: 'Unanswered'; readonly strange: boolean };

/** One question, one line for an answer, in time. */
export function querySandbox<Line extends { readonly callId: string }>(
  line: SandboxClient,
  path: SandboxPath,
  body: object,
  deadlineMs: number,
  isLine: (value: unknown) => value is Line,
): Promise<QueryResult<Line>> {
  return new Promise((resolve) => {
    let isOver = false;
    const settle = (asked: QueryResult<Line>): void => {
      isOver = true;
      clearTimeout(deadline);
      resolve(asked);
    };
    const deadline = setTimeout(() => {
      underway.cancel();
      settle({ kind: 'Unanswered', strange: false });
    }, deadlineMs);
    const underway = line.call(path, body, {
      connectWithinMs: deadlineMs,
      mayWrite: () => !isOver,
      isLine,
      refused: (refusal) => settle({ kind: 'Refused', refusal }),
      line: (answer) => {
        underway.finish();
        settle({ kind: 'Answered', line: answer });
      },
      ended: (strange) => settle({ kind: 'Unanswered', strange }),
    });
  });
}
