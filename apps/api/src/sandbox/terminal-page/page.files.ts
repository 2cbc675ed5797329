import { readFileSync } from 'node:fs';
import type { ApiResponse } from '../../http/api.request.js';
import { contentTypeOf } from '../../http/content.types.js';

/** The same place seen from the sources and from what is built of them. */
const FOLDER = new URL('../../../assets/terminal-page/', import.meta.url);

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

/** The files of the terminals' pages, read when somebody first asks for them. */
export class PageFiles {
  private readonly loaded = new Map<PageFile, Buffer>();

  has(name: string): name is PageFile {
    return (NAMES as readonly string[]).includes(name);
  }

  send(response: ApiResponse, status: 200 | 404, name: PageFile): void {
    const bytes = this.file(name);
    const headers = { 'content-type': contentTypeOf(name), 'content-length': bytes.length };
    response.writeHead(status, headers).end(bytes);
  }

  private file(name: PageFile): Buffer {
    const bytes = this.loaded.get(name) ?? readFileSync(new URL(name, FOLDER));
    this.loaded.set(name, bytes);
    return bytes;
  }
}
