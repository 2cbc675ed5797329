import { readFileSync } from 'node:fs';
import type { ApiResponse } from '../../http/api.request.js';

/** The same place seen from the sources and from what is built of them. */
const FOLDER = new URL('../../../assets/terminal-page/', import.meta.url);

const TYPES = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
} as const;

/** Everything that the pages consist of: nothing else of the disk can be asked for. */
const NAMES = [
  'terminals.html',
  'terminal.html',
  'unknown.html',
  'terminals.css',
  'terminals.js',
  'terminal.js',
  'terminal.screen.js',
  'service.js',
  'icon.svg',
] as const;
export type PageFile = (typeof NAMES)[number];

/** Scripts and styles are files of this origin, and nobody may put a page into a frame of theirs. */
const HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
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
  'cache-control': 'no-cache',
} as const;

/** The files of the terminals' pages, read once. */
export class PageFiles {
  private readonly files = new Map<string, { readonly bytes: Buffer; readonly type: string }>(
    NAMES.map((name) => {
      const type = TYPES[name.slice(name.lastIndexOf('.') + 1) as keyof typeof TYPES];
      return [name, { bytes: readFileSync(new URL(name, FOLDER)), type }];
    }),
  );

  has(name: string): name is PageFile {
    return this.files.has(name);
  }

  send(response: ApiResponse, status: 200 | 404, name: PageFile): void {
    const file = this.files.get(name);
    if (!file) throw new Error(`${name} is no file of the terminals' pages`);
    const { bytes, type } = file;
    response.writeHead(status, { ...HEADERS, 'content-type': type, 'content-length': bytes.length });
    response.end(bytes);
  }
}
