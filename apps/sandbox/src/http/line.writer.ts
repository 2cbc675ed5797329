import { SILENCE_MS_MAX } from '@tillstream/sandbox';
import type { WireResponse } from './wire.request.js';

const NDJSON = 'application/x-ndjson; charset=utf-8';
/** Characters. */
const BUFFERED_CHARACTERS_MAX = 16_384;

/** Writes an answer line by line, the headers with the first. */
export class LineWriter {
  private readonly abort = new AbortController();
  private readonly silence: NodeJS.Timeout;
  /** Lines of this turn. Not left to the response's `cork`: on Node 24.21 it sends the first of them alone. */
  private waiting = '';

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

  /** Aborted once nobody reads any more. */
  get closed(): AbortSignal {
    return this.abort.signal;
  }

  line(content: object, status = 200): void {
    if (this.response.destroyed) return;
    if (!this.response.headersSent) {
      this.response.writeHead(status, { 'content-type': NDJSON, 'cache-control': 'no-store' });
    }
    // Often the only line: headers, line and end then leave together.
    if (this.waiting === '') process.nextTick(() => this.send());
    this.waiting += `${JSON.stringify({ callId: this.callId, ...content })}\n`;
  }

  end(): void {
    const last = this.waiting;
    this.waiting = '';
    this.response.end(last);
  }

  /** For a whole answer of one line. */
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

  /** Resolves when more can be written, or nobody reads any more. */
  async waitUntilDrained(): Promise<void> {
    if (this.waiting.length >= BUFFERED_CHARACTERS_MAX) this.send();
    if (!this.response.writableNeedDrain) return;
    await new Promise<void>((resolve) => {
      const go = (): void => {
        this.response.off('drain', go).off('close', go);
        resolve();
      };
      this.response.once('drain', go).once('close', go);
    });
  }

  private send(): void {
    const lines = this.waiting;
    this.waiting = '';
    if (lines !== '' && !this.response.destroyed) this.response.write(lines);
  }
}
