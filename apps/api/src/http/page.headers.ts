const TYPES = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
} as const;

/** By the end of its name. */
export function contentTypeOf(file: `${string}.${keyof typeof TYPES}`): string {
  return TYPES[file.slice(file.lastIndexOf('.') + 1) as keyof typeof TYPES];
}

/**
 * Of every page of ours: scripts and styles are files of this origin, calls go to this origin, and nobody may put the page
 * into a frame of theirs. `images`: where its images may come from.
 */
export function pageHeaders(images: "'self'" | "'self' data:"): Readonly<Record<string, string>> {
  return {
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      `img-src ${images}`,
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  };
}
