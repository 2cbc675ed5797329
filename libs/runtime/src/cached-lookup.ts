/**
 * Caches the result of `lookUp` for `forMs` after it has come. Concurrent callers share one lookup. A rejection goes to the
 * callers that wait for it, and is not cached.
 */
export function cachedLookup<Result>(forMs: number, lookUp: () => Promise<Result>): () => Promise<Result> {
  let cached: { readonly until: number; readonly result: Promise<Result> } | undefined;
  let running: Promise<Result> | undefined;
  return () => {
    if (running) return running;
    if (cached && performance.now() < cached.until) return cached.result;
    const result = lookUp();
    running = result;
    result.then(
      () => {
        cached = { until: performance.now() + forMs, result };
        running = undefined;
      },
      () => (running = undefined),
    );
    return result;
  };
}
