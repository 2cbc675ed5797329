import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { ApiRequest, ApiResponse } from '../http/api.request.js';
import { contentTypeOf, pageHeaders } from '../http/page.headers.js';

/* The same places seen from the sources and from what is built of them. */
const OURS = new URL('../../assets/docs/', import.meta.url);
const SWAGGER_UI = new URL(
  './',
  pathToFileURL(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json')),
);

const DAY_SECONDS = 86_400;
/** Ours change with every version of the service; asking whether they did costs little. */
const ASK_ALWAYS = 'no-cache';
const ASK_DAILY = `public, max-age=${DAY_SECONDS}`;

/** Everything that the page consists of: nothing else of the disk can be asked for. */
const FILES = {
  'reference.html': { folder: OURS, caching: ASK_ALWAYS },
  'reference.css': { folder: OURS, caching: ASK_ALWAYS },
  'reference.js': { folder: OURS, caching: ASK_ALWAYS },
  'swagger-ui.css': { folder: SWAGGER_UI, caching: ASK_DAILY },
  'swagger-ui-bundle.js': { folder: SWAGGER_UI, caching: ASK_DAILY },
  'favicon-32x32.png': { folder: SWAGGER_UI, caching: ASK_DAILY },
} as const;
export type ReferenceFile = keyof typeof FILES;

/** Swagger UI draws its icons from `data:`. */
const HEADERS = pageHeaders("'self' data:");

interface Loaded {
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** The files of the interactive reference, from the disk of this machine: it works without the internet. */
export class ReferenceFiles {
  private readonly loaded = new Map<ReferenceFile, Loaded>();

  has(name: string): name is ReferenceFile {
    return Object.hasOwn(FILES, name);
  }

  send(request: ApiRequest, response: ApiResponse, name: ReferenceFile): void {
    const { bytes, headers } = this.file(name);
    if (request.headers['if-none-match'] === headers.etag) {
      response.writeHead(304, headers).end();
      return;
    }
    response.writeHead(200, { ...headers, 'content-length': bytes.length }).end(bytes);
  }

  /** Read when somebody first asks for it. */
  private file(name: ReferenceFile): Loaded {
    const known = this.loaded.get(name);
    if (known) return known;
    const { folder, caching } = FILES[name];
    const bytes = readFileSync(new URL(name, folder));
    const headers = {
      ...HEADERS,
      'content-type': contentTypeOf(name),
      'cache-control': caching,
      etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
    };
    const loaded = { bytes, headers };
    this.loaded.set(name, loaded);
    return loaded;
  }
}
