import { Catch, HttpException, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { ErrorCode, type ExecutionStatus } from '@tillstream/contracts';
import { EventStoreError } from '@tillstream/event-store';
import type { Log } from '@tillstream/platform';
import { LOG } from '../api.parts.js';
import { RepeatedRequest, sendJson } from './json.response.js';
import { ApiError, envelope, notFound, notKnownWhetherStored } from './api.error.js';
import { isReading, type ApiRequest, type ApiResponse } from './api.request.js';
import { readBody, ReceivedBody } from './received.body.js';

/** Sends every error as an envelope. An unexpected error does not show its cause to the client. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(@Inject(LOG) private readonly log: Log) {}

  async catch(error: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    const request = http.getRequest<ApiRequest>();
    const response = http.getResponse<ApiResponse>();
    try {
      if (error instanceof RepeatedRequest) return sendJson(response, error.response);
      const toSend = request.responder ? await request.responder.ofError(error) : error;
      const known = toSend instanceof ApiError ? toSend : await this.unexpected(toSend, request);
      request.logged.code = known.code;
      await this.send(response, known, request.traceId);
    } finally {
      request.turn?.end();
    }
  }

  protected send(response: ApiResponse, error: ApiError, traceId: string): void | Promise<void> {
    sendJson(response, envelope(error, traceId));
  }

  private async unexpected(error: unknown, request: ApiRequest): Promise<ApiError> {
    if (error instanceof HttpException && error.getStatus() < 500) return notFound('There is no such path.');
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    this.log.error('request-failed', { traceId: request.traceId, error: message, ...(stack && { stack }) });
    if (error instanceof EventStoreError && error.code === 'Unknown') return notKnownWhetherStored();
    if (request.mayHaveStored === true)
      return failed('The request failed; look up its outcome before a retry.', 'Unknown');
    if (await mayRepeatAnother(request)) return notKnownWhetherStored();
    return failed('The request failed; nothing was stored.', 'Rejected');
  }
}

function failed(message: string, status: ExecutionStatus): ApiError {
  return new ApiError(500, ErrorCode.UnhandledGenericError, message, { status });
}

/**
 * Whether an earlier request may have stored what this one asks for: it has an `Idempotency-Key` that was not looked up,
 * or a `referenceId`. An error of such a request does not say that the earlier one stored nothing.
 */
async function mayRepeatAnother(request: ApiRequest): Promise<boolean> {
  if (isReading(request)) return false;
  const { keyed, headers } = request;
  if (headers['idempotency-key'] !== undefined)
    return !keyed?.ticket || keyed.ticket.earlierReservation !== undefined;
  return hasReference(request);
}

/** Reads the body where the request failed before it was read. */
async function hasReference(request: ApiRequest): Promise<boolean> {
  const received: unknown = request.body;
  const isRead = received instanceof ReceivedBody;
  if (!isRead && (request.readableEnded || request.destroyed)) return false;
  try {
    const bytes = isRead ? received.bytes : await readBody(request);
    const body = JSON.parse(bytes.toString('utf8')) as { readonly referenceId?: unknown } | null;
    return body?.referenceId !== undefined && body.referenceId !== null;
  } catch {
    return false;
  }
}
