import { LRUCache } from 'lru-cache';

type OpenSecret = (endpointId: string, sealed: string) => Promise<string>;

const SECRETS_MAX = 1_000;
const CACHED_MS = 60_000;

/** Keeps opened secrets for a short time: one endpoint may get thousands of deliveries a second. */
export function cachedSecrets(open: OpenSecret): OpenSecret {
  const cache = new LRUCache<string, Promise<string>>({ max: SECRETS_MAX, ttl: CACHED_MS });
  return (endpointId, sealed) => {
    const key = `${endpointId} ${sealed}`;
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const opened = open(endpointId, sealed);
    cache.set(key, opened);
    opened.catch(() => cache.delete(key));
    return opened;
  };
}
