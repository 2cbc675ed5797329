import { REQUEST_BYTES_MAX, WIRE_HEADERS, type Check } from '@tillstream/sandbox';
import type { Request, Response } from 'express';
import { RequestRefused } from './request-refused.error.js';

export type WireResponse = Response;

export interface WireRequest extends Request {
  /** Every line of the response repeats it; `none` if it is missing. */
  callId: string;
  /** Further fields of the log line. */
  logged: { transactionId?: string };
}

const CALL_ID = /^[0-9a-f]{32}$/;
const OFFSET = /^\d{1,15}$/;

export function callId({ headers }: Request): string {
  const given = headers[WIRE_HEADERS.callId];
  return typeof given === 'string' && CALL_ID.test(given) ? given : 'none';
}

/** Of the service's clock, ms; undefined if the header is missing. */
export function clockOffset({ headers }: Request): number | undefined {
  const given = headers[WIRE_HEADERS.clockOffset];
  return typeof given === 'string' && OFFSET.test(given) ? Number(given) : undefined;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** @throws RequestRefused with the wrong field, and never its value, which may be a card number */
export async function readBody<Body>(request: WireRequest, check: Check): Promise<Body> {
  let body: unknown;
  try {
    body = JSON.parse(utf8.decode(await readBytes(request)));
  } catch (error) {
    if (error instanceof RequestRefused) throw error;
    throw new RequestRefused(400, 'the body is no JSON in UTF-8');
  }
  const wrong = check(body);
  if (wrong !== undefined)
    throw new RequestRefused(400, `not as it should be: ${wrong === '' ? 'the body' : wrong}`);
  const [transactionId] = keyIn(body)?.split('.') ?? [];
  if (transactionId !== undefined) request.logged = { transactionId };
  return body as Body;
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
