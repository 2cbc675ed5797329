/** The headers of a request: an object as Node's, with names of any case, or a `Headers` of `fetch`. */
export type WebhookHeaders =
  Readonly<Record<string, string | readonly string[] | undefined>> | { get(name: string): string | null };

export const LEGACY_HEADER = 'x-legacy-wh-chksm';

export interface ManagedHeaders {
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string;
}

/** Tells `header(name)` for lower-case names. A header that came more than once has no value that can be trusted. */
export function headerReader(headers: WebhookHeaders): (name: string) => string | undefined {
  if (isFetchHeaders(headers)) return (name) => headers.get(name) ?? undefined;
  const values = new Map<string, string | undefined>();
  for (const [name, value] of Object.entries(headers)) {
    const key = name.toLowerCase();
    const single = typeof value === 'string' ? value : value?.length === 1 ? value[0] : undefined;
    values.set(key, values.has(key) ? undefined : single);
  }
  return (name) => values.get(name);
}

/**
 * The three headers of one set: `hook-…`, or its copy `webhook-…` if a proxy removed the first. Sets are not mixed.
 * Undefined if both are incomplete.
 */
export function managedHeaders(header: (name: string) => string | undefined): ManagedHeaders | undefined {
  for (const prefix of ['hook', 'webhook']) {
    const id = header(`${prefix}-id`);
    const timestamp = header(`${prefix}-timestamp`);
    const signature = header(`${prefix}-signature`);
    if (id !== undefined && timestamp !== undefined && signature !== undefined) {
      return { id, timestamp, signature };
    }
  }
  return undefined;
}

function isFetchHeaders(headers: WebhookHeaders): headers is { get(name: string): string | null } {
  return typeof (headers as { get?: unknown }).get === 'function';
}
