import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { repeatedName, type Log } from '@tillstream/platform';
import { REQUEST_BYTES_MAX, WIRE_HEADERS, type Check, type TerminalControlError } from '@tillstream/sandbox';
import type { NextFunction, Request, Response } from 'express';

export interface WireRequest extends Request {
  /** Every line of the response repeats it; `none` if it is missing. */
  callId: string;
  /** Further fields of the log line. */
  logged: { transactionId?: string };
}

/** A refusal for the client: nothing was executed, and nothing will be. */
export class RequestRefused extends Error {
  override readonly name = 'Refused';
  constructor(
    readonly status: 400 | 401 | 404 | 409 | 413 | 503,
    message: string,
    readonly code?: TerminalControlError['code'],
  ) {
    super(message);
  }
}

const CALL_ID = /^[0-9a-f]{32}$/;
const OFFSET = /^\d{1,15}$/;

/** Reads the call id of each request, and logs one line when the request has ended. */
export function requestLog(log: Log) {
  return (received: Request, response: Response, next: NextFunction): void => {
    const request = received as WireRequest;
    const startedAt = performance.now();
    request.callId = callId(request);
    request.logged = {};
    response.once('close', () => {
      log.info('request', {
        method: request.method,
        route: (request.route as { path?: unknown } | undefined)?.path,
        status: response.writableFinished ? response.statusCode : 499,
        ms: Math.round((performance.now() - startedAt) * 100) / 100,
        ...request.logged,
      });
    });
    next();
  };
}

function callId({ headers }: Request): string {
  const given = headers[WIRE_HEADERS.callId];
  return typeof given === 'string' && CALL_ID.test(given) ? given : 'none';
}

/** Of the service's clock, ms; undefined if the header is missing. */
export function clockOffset({ headers }: Request): number | undefined {
  const given = headers[WIRE_HEADERS.clockOffset];
  return typeof given === 'string' && OFFSET.test(given) ? Number(given) : undefined;
}

/**
 * The body of the request, which has the shape of `check`.
 * @throws RequestRefused with the wrong field, and never its value, which may be a card number
 */
export const WireBody = createParamDecorator(async (check: Check, context: ExecutionContext) => {
  const request = context.switchToHttp().getRequest<WireRequest>();
  const body = parseJson(await readBytes(request));
  const wrong = check(body);
  if (wrong !== undefined) throw notAsItShouldBe(wrong === '' ? 'the body' : wrong);
  const [transactionId] = keyIn(body)?.split('.') ?? [];
  if (transactionId !== undefined) request.logged = { transactionId };
  return body;
});

function notAsItShouldBe(field: string): RequestRefused {
  return new RequestRefused(400, `not as it should be: ${field}`);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function parseJson(bytes: Buffer): unknown {
  let text: string;
  let body: unknown;
  try {
    text = utf8.decode(bytes);
    body = JSON.parse(text);
  } catch {
    throw new RequestRefused(400, 'the body is no JSON in UTF-8');
  }
  // The path to the name is not repeated: it may contain a name that is no field, such as a card number.
  if (repeatedName(text)) throw notAsItShouldBe('a name that is twice in one object');
  return body;
}

function keyIn(body: unknown): string | undefined {
  const { key, request } = body as { readonly key?: string; readonly request?: { readonly key: string } };
  return key ?? request?.key;
}

function readBytes(request: WireRequest): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= REQUEST_BYTES_MAX) chunks.push(chunk);
      else reject(new RequestRefused(413, `the body is too large; allowed is ${REQUEST_BYTES_MAX} bytes`));
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    // An incomplete request is not executed.
    request.on('error', () => reject(new RequestRefused(400, 'the body was cut off')));
    request.on('aborted', () => reject(new RequestRefused(400, 'the body was cut off')));
  });
}
