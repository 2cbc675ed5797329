import { parseUrl } from '../page/parse.url.js';

/** What the browser says about the window that embeds this page. */
export interface Embedding {
  readonly isEmbedded: boolean;
  /** Of the embedding windows, nearest first. Firefox does not have it. */
  readonly ancestorOrigins?: { readonly [index: number]: string };
  readonly referrer: string;
}

export function embeddingOf(view: Window): Embedding {
  const { ancestorOrigins } = view.location as Location & Partial<Pick<Location, 'ancestorOrigins'>>;
  return {
    isEmbedded: view.parent !== view,
    referrer: view.document.referrer,
    ...(ancestorOrigins ? { ancestorOrigins } : {}),
  };
}

/**
 * The origin that messages are posted to: the parent's, if the merchant allows it. Undefined if this page is not
 * embedded, or if the parent is unknown or not allowed.
 */
export function parentOrigin(embedding: Embedding, messageOrigins: readonly string[]): string | undefined {
  if (!embedding.isEmbedded) return undefined;
  const origin = embedding.ancestorOrigins?.[0] ?? parseUrl(embedding.referrer)?.origin;
  return origin !== undefined && messageOrigins.includes(origin) ? origin : undefined;
}
