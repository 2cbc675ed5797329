import { Answer } from './answer.js';

interface PageFacts {
  readonly nextCursor: string | null;
  readonly total?: { readonly count: number; readonly isAtLeast: boolean };
}

/**
 * A page whose rows are JSON texts already: they are joined, and neither read nor written anew
 * (`docs/spec/lists.md#page`).
 */
export function listAnswer(rows: readonly string[], { nextCursor, total }: PageFacts): Answer {
  const rest = JSON.stringify({
    hasMore: nextCursor !== null,
    nextCursor,
    ...(total && { total: total.count }),
    ...(total?.isAtLeast === true && { totalIsAtLeast: true }),
  });
  return new Answer(200, `{"data":[${rows.join(',')}],${rest.slice(1)}`);
}
