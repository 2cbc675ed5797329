import { Catch, HttpException, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { ErrorCode } from '@tillstream/contracts';
import { EventStoreError } from '@tillstream/event-store';
import type { Log } from '@tillstream/platform';
import { LOG } from '../api.parts.js';
import { sendJson } from './json.response.js';
import { ApiError, envelope, notFound, notKnownWhetherStored } from './api.error.js';
import type { ApiRequest, ApiResponse } from './api.request.js';
import { mayRepeatAnother } from './repeatable.request.js';

/** Sends every error as an envelope. An unexpected error does not show its cause to the client. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(@Inject(LOG) private readonly log: Log) {}

  async catch(error: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    const request = http.getRequest<ApiRequest>();
    const response = http.getResponse<ApiResponse>();
    const known = error instanceof ApiError ? error : await this.unexpected(error, request);
    request.logged.code = known.code;
    sendJson(response, envelope(known, request.traceId));
  }

  private async unexpected(error: unknown, request: ApiRequest): Promise<ApiError> {
    if (error instanceof HttpException && error.getStatus() < 500) return notFound('There is no such path.');
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    this.log.error('request-failed', { traceId: request.traceId, error: message, ...(stack && { stack }) });
    if (error instanceof EventStoreError && error.code === 'Unknown') return notKnownWhetherStored();
    if (request.mayHaveStored === true) return unknown();
    return (await mayRepeatAnother(request)) ? notKnownWhetherStored() : nothingStored();
  }
}

function unknown(): ApiError {
  const message = 'The request failed; look up its outcome before a retry.';
  return new ApiError(500, ErrorCode.UnhandledGenericError, message, { status: 'Unknown' });
}

function nothingStored(): ApiError {
  return new ApiError(500, ErrorCode.UnhandledGenericError, 'The request failed; nothing was stored.');
}
