import { REQUEST_BYTES_MAX, WIRE_HEADERS, type Check } from '@tillstream/sandbox';
import type { Request, Response } from 'express';
import { RequestRefused } from './request-refused.error.js';

export type WireResponse = Response;

/** What a request brings along, and what is logged of it. */
export interface WireRequest extends Request {
  /** Repeated in every line of the answer; `none` where it is missing. */
  callId: string;
  logged: { transactionId?: string };
}

const CALL_ID = /^[0-9a-f]{32}$/;
const OFFSET = /^\d{1,15}$/;

export function callId({ headers }: Request): string {
  const given = headers[WIRE_HEADERS.callId];
  return typeof given === 'string' && CALL_ID.test(given) ? given : 'none';
}

/** Of the service's clock, ms; undefined where it was not told. */
export function clockOffset({ headers }: Request): number | undefined {
  const given = headers[WIRE_HEADERS.clockOffset];
  return typeof given === 'string' && OFFSET.test(given) ? Number(given) : undefined;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The body, checked. @throws Refused, with the field that is wrong and never its value: it may be a card's number. */
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
  const { key } = keyIn(body);
  const [transactionId] = key?.split('.') ?? [];
  if (transactionId !== undefined) request.logged = { transactionId };
  return body as Body;
}

function keyIn(body: unknown): { readonly key?: string } {
  const { key, request } = body as { readonly key?: string; readonly request?: { readonly key: string } };
  const named = key ?? request?.key;
  return named === undefined ? {} : { key: named };
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
    // Nothing is done for half a request, and nobody is there to be told.
    request.on('error', () => reject(new RequestRefused(400, 'the body was cut off')));
    request.on('aborted', () => reject(new RequestRefused(400, 'the body was cut off')));
  });
}
