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
