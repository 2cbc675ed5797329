import { Controller, Get, Inject, Param, Query, Res } from '@nestjs/common';
import { dailyLines, WIRE_PATHS, type Sandbox } from '@tillstream/sandbox';
import type { Response } from 'express';
import { LineWriter, respond } from './http/line.writer.js';
import { RequestRefused } from './http/wire.request.js';
import { SANDBOX } from './sandbox.parts.js';

/** The acquirer's ledger, to compare it with the events. It is read page by page. */
@Controller(WIRE_PATHS.ledger)
export class LedgerController {
  constructor(@Inject(SANDBOX) private readonly sandbox: Sandbox) {}

  /** The daily file of a range of real time, RFC 3339: `from` inclusive, `to` exclusive. */
  @Get('daily-file')
  async dailyFile(
    @Query('from') from: unknown,
    @Query('to') to: unknown,
    @Res() response: Response,
  ): Promise<void> {
    const range = { from: timeOf(from, 'from'), to: timeOf(to, 'to') };
    const lines = new LineWriter(response);
    for (const line of dailyLines(range, this.sandbox.ledger.daily(range))) {
      if (lines.closed.aborted) return;
      lines.line(line);
      await lines.waitUntilDrained();
    }
    lines.end();
  }

  /** `movements`, `nets` or `verifications`: one a line, by key. The last line has their count. */
  @Get(':book')
  async list(@Param('book') book: string, @Res() response: Response): Promise<void> {
    const lines = new LineWriter(response);
    let count = 0;
    for (const entry of this.entriesOf(book)) {
      if (lines.closed.aborted) return;
      lines.line({ entry });
      count++;
      await lines.waitUntilDrained();
    }
    lines.line({ count });
    lines.end();
  }

  /** The movement and the request of a key, or null. */
  @Get('keys/:key')
  key(@Param('key') key: string, @Res() response: Response): void {
    const { ledger } = this.sandbox;
    respond(response, { movement: ledger.entry(key) ?? null, request: ledger.requestOf(key) ?? null });
  }

  private entriesOf(book: string): Iterable<object> {
    const { ledger } = this.sandbox;
    switch (book) {
      case 'movements':
        return ledger.entries();
      case 'nets':
        return ledger.nets();
      case 'verifications':
        return ledger.verifications();
      default:
        throw new RequestRefused(404, 'allowed is movements, nets or verifications');
    }
  }
}

function timeOf(value: unknown, name: string): number {
  const time = typeof value === 'string' ? Date.parse(value) : NaN;
  if (time >= 0) return time;
  throw new RequestRefused(400, `${name} is no time; allowed is RFC 3339, such as 2026-11-26T00:00:00.000Z`);
}
