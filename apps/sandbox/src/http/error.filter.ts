import { Catch, HttpException, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Log } from '@tillstream/platform';
import { ConnectionRefused, NothingExecuted, TerminalControlError } from '@tillstream/sandbox';
import { LOG } from '../sandbox.parts.js';
import type { Response } from 'express';
import { respond } from './line.writer.js';
import { RequestRefused } from './wire.request.js';

/** Answers if the request was certainly not executed. Otherwise closes the connection without a response. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(@Inject(LOG) private readonly log: Log) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<Response>();
    const refused = toRequestRefused(error);
    if (refused && !response.headersSent) {
      const { status, message, code } = refused;
      return respond(response, { refused: message, ...(code && { code }) }, status);
    }
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    this.log.error('request-failed', { error: message, ...(stack !== undefined && { stack }) });
    response.destroy();
  }
}

function toRequestRefused(error: unknown): RequestRefused | undefined {
  if (error instanceof RequestRefused) return error;
  if (error instanceof ConnectionRefused || error instanceof NothingExecuted) {
    return new RequestRefused(503, error.message.slice(0, 300));
  }
  if (error instanceof TerminalControlError) return new RequestRefused(409, error.message, error.code);
  if (error instanceof HttpException && error.getStatus() < 500)
    return new RequestRefused(404, 'there is no such path');
  return undefined;
}
