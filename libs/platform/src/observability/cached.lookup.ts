/**
 * What costs something to find out, for those who ask often: found out at most every `forMs`, by one at a time. A
 * rejection is told to those who wait for it and forgotten.
 */
export function cachedLookup<Found>(forMs: number, look: () => Promise<Found>): () => Promise<Found> {
  let kept: { readonly at: number; readonly found: Promise<Found> } | undefined;
  let looking: Promise<Found> | undefined;
  return () => {
    if (looking) return looking;
    if (kept && performance.now() < kept.at + forMs) return kept.found;
    looking = look();
    const found = looking;
    found.then(
      () => {
        kept = { at: performance.now(), found };
        looking = undefined;
      },
      () => (looking = undefined),
    );
    return found;
  };
}

/** Rejects where it takes longer: somebody waits for the answer. */
export async function withTimeout<Found>(ms: number, what: string, look: Promise<Found>): Promise<Found> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took longer than ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([look, late]);
  } finally {
    clearTimeout(timer);
  }
}
