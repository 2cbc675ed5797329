import { SILENCE_MS_MAX } from '@tillstream/sandbox';
import type { Response } from 'express';
import type { WireRequest } from './wire.request.js';

const HEADERS = { 'content-type': 'application/x-ndjson; charset=utf-8', 'cache-control': 'no-store' };
const BUFFERED_CHARACTERS_MAX = 16_384;

const lineOf = (response: Response, content: object): string =>
  `${JSON.stringify({ callId: (response.req as WireRequest).callId, ...content })}\n`;

/** Writes a whole response of one line. */
export function respond(response: Response, content: object, status = 200): void {
  if (response.headersSent || response.destroyed) return;
  const line = lineOf(response, content);
  response.writeHead(status, { ...HEADERS, 'content-length': Buffer.byteLength(line) }).end(line);
}

/** Writes a response line by line, the headers with the first one. */
export class LineWriter {
  private readonly abort = new AbortController();
  /** Lines of this turn. Not `cork` of the response: on Node 24.21 it sends the first line alone. */
  private buffered = '';

  constructor(private readonly response: Response) {
    const silence = setTimeout(() => response.destroy(), SILENCE_MS_MAX).unref();
    response.once('close', () => {
      clearTimeout(silence);
      this.abort.abort();
    });
    if (response.destroyed) this.abort.abort();
  }

  /** Aborted when the client has closed the connection. */
  get closed(): AbortSignal {
    return this.abort.signal;
  }

  line(content: object): void {
    if (this.response.destroyed) return;
    if (!this.response.headersSent) this.response.writeHead(200, HEADERS);
    // Often it is the only line: then headers, line and end are sent together.
    if (this.buffered === '') process.nextTick(() => this.send());
    this.buffered += lineOf(this.response, content);
  }

  end(): void {
    const last = this.buffered;
    this.buffered = '';
    this.response.end(last);
  }

  /** Resolves when more can be written, or when the client has closed the connection. */
  async waitUntilDrained(): Promise<void> {
    if (this.buffered.length >= BUFFERED_CHARACTERS_MAX) this.send();
    if (!this.response.writableNeedDrain) return;
    await new Promise<void>((resolve) => {
      const resume = (): void => {
        this.response.off('drain', resume).off('close', resume);
        resolve();
      };
      this.response.once('drain', resume).once('close', resume);
    });
  }

  private send(): void {
    const lines = this.buffered;
    this.buffered = '';
    if (lines !== '' && !this.response.destroyed) this.response.write(lines);
  }
}
