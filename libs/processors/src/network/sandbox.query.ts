import type { NotExecutedReason, SandboxClient, SandboxPath } from './sandbox.client.js';

export type QueryResult<Line> =
  | { readonly kind: 'Answered'; readonly line: Line }
  | { readonly kind: 'Refused'; readonly refusal: NotExecutedReason }
  /** `unreadable`: the response is not one of a sandbox to this call. */
  | { readonly kind: 'Unanswered'; readonly unreadable: boolean };

/** Sends one query, and resolves with the first line or at the deadline. */
export function querySandbox<Line extends { readonly callId: string }>(
  client: SandboxClient,
  path: SandboxPath,
  body: object,
  deadlineMs: number,
  isLine: (value: unknown) => value is Line,
): Promise<QueryResult<Line>> {
  return new Promise((resolve) => {
    let isOver = false;
    const settle = (result: QueryResult<Line>): void => {
      isOver = true;
      clearTimeout(deadline);
      resolve(result);
    };
    const deadline = setTimeout(() => {
      handle.cancel();
      settle({ kind: 'Unanswered', unreadable: false });
    }, deadlineMs);
    const handle = client.call(path, body, {
      connectWithinMs: deadlineMs,
      mayWrite: () => !isOver,
      isLine,
      refused: (refusal) => settle({ kind: 'Refused', refusal }),
      line: (line) => {
        handle.finish();
        settle({ kind: 'Answered', line });
      },
      ended: (unreadable) => settle({ kind: 'Unanswered', unreadable }),
    });
  });
}
