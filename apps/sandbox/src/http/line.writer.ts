import { SILENCE_MS_MAX } from '@tillstream/sandbox';
import type { WireResponse } from './wire.request.js';

const NDJSON = 'application/x-ndjson; charset=utf-8';
const BUFFERED_CHARACTERS_MAX = 16_384;

/** Writes a response line by line, the headers with the first one. */
export class LineWriter {
  private readonly abort = new AbortController();
  private readonly silence: NodeJS.Timeout;
  /** Lines of this turn. Not `cork` of the response: on Node 24.21 it sends the first line alone. */
  private buffered = '';

  constructor(
    private readonly response: WireResponse,
    private readonly callId: string,
  ) {
    this.silence = setTimeout(() => response.destroy(), SILENCE_MS_MAX).unref();
    response.once('close', () => {
      clearTimeout(this.silence);
      this.abort.abort();
    });
    if (response.destroyed) this.abort.abort();
  }

  /** Aborted when the client has closed the connection. */
  get closed(): AbortSignal {
    return this.abort.signal;
  }

  line(content: object, status = 200): void {
    if (this.response.destroyed) return;
    if (!this.response.headersSent) {
      this.response.writeHead(status, { 'content-type': NDJSON, 'cache-control': 'no-store' });
    }
    // Often it is the only line: then headers, line and end are sent together.
    if (this.buffered === '') process.nextTick(() => this.send());
    this.buffered += `${JSON.stringify({ callId: this.callId, ...content })}\n`;
  }

  end(): void {
    const last = this.buffered;
    this.buffered = '';
    this.response.end(last);
  }

  /** Writes a whole response of one line. */
  respond(content: object, status = 200): void {
    if (this.response.headersSent || this.response.destroyed) return;
    const line = `${JSON.stringify({ callId: this.callId, ...content })}\n`;
    this.response.writeHead(status, {
      'content-type': NDJSON,
      'content-length': Buffer.byteLength(line),
      'cache-control': 'no-store',
    });
    this.response.end(line);
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
