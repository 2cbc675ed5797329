import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ApiRequest, ApiResponse } from '../http/api.request.js';
import type { PagePolicy } from '../http/page.headers.js';

/* The same places seen from the sources and from what is built of them. */
const OURS = new URL('../../assets/docs/', import.meta.url);
const SWAGGER_UI = new URL(
  './',
  pathToFileURL(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json')),
);

/** All files of the page. No request reads another file. */
const FILES = {
  'reference.html': OURS,
  'reference.css': OURS,
  'reference.js': OURS,
  'swagger-ui.css': SWAGGER_UI,
  'swagger-ui-bundle.js': SWAGGER_UI,
  'favicon-32x32.png': SWAGGER_UI,
} as const;
type ReferenceFile = keyof typeof FILES;

const CONTENT_TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
} as const;

export function isReferenceFile(name: string): name is ReferenceFile {
  return Object.hasOwn(FILES, name);
}

/** Ours change with every version of the service: asking whether they did costs little. Swagger UI draws icons from `data:`. */
export function referencePolicy(name: string): PagePolicy {
  const ofLibrary = isReferenceFile(name) && FILES[name] === SWAGGER_UI;
  return { sources: { 'img-src': ['data:'] }, caching: ofLibrary ? 'daily' : 'revalidated' };
}

interface Loaded {
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** The files of the interactive reference, from the disk of this machine: it works without the internet. */
export class ReferenceFiles {
  private readonly loaded = new Map<ReferenceFile, Loaded>();

  send(request: ApiRequest, response: ApiResponse, name: ReferenceFile): void {
    const { bytes, headers } = this.file(name);
    if (request.headers['if-none-match'] === headers.etag) {
      response.writeHead(304, headers).end();
      return;
    }
    response.writeHead(200, { ...headers, 'content-length': bytes.length }).end(bytes);
  }

  /** Read at the first request for it. */
  private file(name: ReferenceFile): Loaded {
    const known = this.loaded.get(name);
    if (known) return known;
    const bytes = readFileSync(new URL(name, FILES[name]));
    const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
    const type = CONTENT_TYPES[extname(name) as keyof typeof CONTENT_TYPES];
    const loaded = { bytes, headers: { 'content-type': type, etag } };
    this.loaded.set(name, loaded);
    return loaded;
  }
}
