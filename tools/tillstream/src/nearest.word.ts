const FURTHEST = 2;

/** The end of a sentence: the word that was meant, or all that are allowed. Undefined: none was typed. */
export function hintFor(typed: string | undefined, known: readonly string[]): string {
  const meant = typed === undefined ? undefined : nearest(typed, known);
  return meant === undefined ? `allowed are ${known.join(', ')}.` : `did you mean "${meant}"?`;
}

/** The known word that was most likely meant: one begun, or with at most two letters wrong. */
function nearest(typed: string, known: readonly string[]): string | undefined {
  const begun = typed === '' ? undefined : known.find((word) => word.startsWith(typed));
  if (begun !== undefined) return begun;
  const [best] = known
    .map((word) => ({ word, away: distance(typed.slice(0, 40), word) }))
    .sort((a, b) => a.away - b.away);
  return best && best.away <= FURTHEST ? best.word : undefined;
}

/** Letters to add, to drop, to exchange, or to swap with their neighbour. */
function distance(a: string, b: string): number {
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      next[j] = Math.min(
        (row[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        (row[j - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (before[j - 2] ?? 0) + 1 : Infinity,
      );
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}
