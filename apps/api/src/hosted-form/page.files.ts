import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { ApiRequest, ApiResponse } from '../http/api.request.js';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};
const COMPRESSIONS = { br: promisify(brotliCompress), gzip: promisify(gzip) } as const;
type Encoding = keyof typeof COMPRESSIONS;
/** No folder, and no hidden file. */
const FILE_NAME = /^[\w-]+(\.[\w-]+)+$/;

interface LoadedFile {
  readonly type: string;
  readonly etag: string;
  readonly bytes: Readonly<Record<Encoding | 'identity', Buffer>>;
}

/** The files of a folder of built files, each read and compressed at the first request for it. */
export class PageFiles {
  private readonly loaded = new Map<string, Promise<LoadedFile>>();

  constructor(private readonly folder: URL) {}

  /** False: there is no such file. */
  async send(request: ApiRequest, response: ApiResponse, name: string, status = 200): Promise<boolean> {
    const file = await this.find(name);
    if (!file) return false;
    const { type, etag, bytes } = file;
    const headers = { 'content-type': type, vary: 'accept-encoding', etag };
    if (status === 200 && request.headers['if-none-match'] === etag) {
      response.writeHead(304, headers).end();
      return true;
    }
    const encoding = request.acceptsEncodings('br', 'gzip') as Encoding | false;
    const body = bytes[encoding || 'identity'];
    response
      .writeHead(status, {
        ...headers,
        ...(encoding && { 'content-encoding': encoding }),
        'content-length': body.length,
      })
      .end(body);
    return true;
  }

  private async find(name: string): Promise<LoadedFile | undefined> {
    const type = CONTENT_TYPES[extname(name)];
    if (type === undefined || !FILE_NAME.test(name)) return undefined;
    const loading = this.loaded.get(name) ?? load(new URL(name, this.folder), type);
    this.loaded.set(name, loading);
    try {
      return await loading;
    } catch (error) {
      this.loaded.delete(name);
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }
}

async function load(file: URL, type: string): Promise<LoadedFile> {
  const identity = await readFile(file);
  const [br, gzipped] = await Promise.all([COMPRESSIONS.br(identity), COMPRESSIONS.gzip(identity)]);
  const etag = `W/"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`;
  return { type, etag, bytes: { identity, br, gzip: gzipped } };
}
