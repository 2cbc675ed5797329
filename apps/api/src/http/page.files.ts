import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { notFound } from './api.error.js';
import type { ApiResponse } from './api.request.js';

/** Brotli has levels to 11. Above 9, Swagger UI's script takes seconds and becomes 8 % smaller. */
const BROTLI_QUALITY = 9;
const BROTLI_OPTIONS = { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } };
/** No folder, and no hidden file. The length is within the limits of file systems. */
const FILE_NAME = /^(?=.{1,100}$)[\w-]+(\.[\w-]+)+$/;

interface LoadedFile {
  readonly etag: string;
  readonly bytes: Readonly<Record<'br' | 'gzip' | 'identity', Buffer>>;
}

/** The files of a folder, each read and compressed at the first request for it. */
export class PageFiles {
  private readonly loaded = new Map<string, Promise<LoadedFile>>();

  /** @param folder holds nothing but files that everyone may read, or the caller checks the names */
  constructor(private readonly folder: URL) {}

  /**
   * Sends the file that a request names.
   *
   * @throws ApiError 404 where there is no such file
   */
  async send(response: ApiResponse, name: string): Promise<void> {
    const file = await this.find(name);
    if (!file) throw notFound('There is no such file.');
    sendFile(response, name, file);
  }

  /**
   * Sends a file that the route names.
   *
   * @throws Error where it is missing
   */
  async sendPage(response: ApiResponse, name: string, status = 200): Promise<void> {
    const file = await this.find(name);
    if (!file) throw new Error(`${name} is missing: build it first (npm run build)`);
    sendFile(response.status(status), name, file);
  }

  private async find(name: string): Promise<LoadedFile | undefined> {
    if (!FILE_NAME.test(name)) return undefined;
    const loading = this.loaded.get(name) ?? load(new URL(name, this.folder));
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

async function load(file: URL): Promise<LoadedFile> {
  const identity = await readFile(file);
  const [br, gzipped] = await Promise.all([
    promisify(brotliCompress)(identity, BROTLI_OPTIONS),
    promisify(gzip)(identity),
  ]);
  const etag = `W/"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`;
  return { etag, bytes: { identity, br, gzip: gzipped } };
}

function sendFile(response: ApiResponse, name: string, { etag, bytes }: LoadedFile): void {
  const { req: request } = response;
  response.type(extname(name)).vary('accept-encoding').set('etag', etag);
  // Not `request.fresh`: it is false for `fetch`, which adds `cache-control: no-cache` to a conditional request.
  if (response.statusCode === 200 && request.headers['if-none-match'] === etag) {
    response.status(304).end();
    return;
  }
  const encoding = request.acceptsEncodings('br', 'gzip') as 'br' | 'gzip' | false;
  if (encoding) response.set('content-encoding', encoding);
  response.send(bytes[encoding || 'identity']);
}
