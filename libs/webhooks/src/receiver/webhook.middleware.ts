import type { IncomingMessage, ServerResponse } from 'node:http';
import { WebhookSetupError } from '../webhook.errors.js';
import type { WebhookReceiver } from './webhook.receiver.js';

/** A request of `node:http`, Express, Nest or Connect. */
export interface WebhookHttpRequest extends IncomingMessage {
  /** Bytes if `express.raw()` read the body. */
  body?: unknown;
  /** Bytes if Nest was created with `rawBody: true`. */
  rawBody?: unknown;
}

/** The service's bodies are below 20 kB. */
const BODY_BYTES_MAX = 100_000;

/**
 * Receives deliveries: reads the bytes of the body and answers the request. Mount it before a parser of JSON. It also works
 * after `express.raw()`, and in Nest with `rawBody: true`.
 */
export function webhookMiddleware(
  receiver: WebhookReceiver,
): (request: WebhookHttpRequest, response: ServerResponse) => void {
  return (request, response) => {
    respond(receiver, request, response).catch(() => response.destroy());
  };
}

async function respond(
  receiver: WebhookReceiver,
  request: WebhookHttpRequest,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'POST') {
    response.setHeader('allow', 'POST');
    return answer(response, 405, 'NotPost');
  }
  let body: Uint8Array | 'TooLarge';
  try {
    body = await bytesOf(request);
  } catch (error) {
    // The sender closed the connection: a response would not reach it.
    if (!(error instanceof WebhookSetupError)) return void response.destroy();
    const { status, outcome } = receiver.setUpWrongly(error);
    return answer(response, status, outcome);
  }
  if (body === 'TooLarge') {
    response.setHeader('connection', 'close');
    response.once('finish', () => request.destroy());
    return answer(response, 413, body);
  }
  const { status, outcome } = await receiver.receive({ headers: request.headers, body });
  answer(response, status, outcome);
}

function answer(response: ServerResponse, status: number, outcome: string): void {
  response.statusCode = status;
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ outcome }));
}

/** Rejects with `WebhookSetupError` if another part of the program has read the body and kept no bytes. */
function bytesOf(request: WebhookHttpRequest): Promise<Uint8Array | 'TooLarge'> {
  for (const read of [request.rawBody, request.body]) {
    if (read instanceof Uint8Array) return Promise.resolve(read);
  }
  if (request.readableDidRead) {
    const advice = 'Mount the middleware before a parser of JSON (in Nest: rawBody: true).';
    return Promise.reject(
      new WebhookSetupError(`The body was read before, and its bytes are lost. ${advice}`),
    );
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= BODY_BYTES_MAX) return void chunks.push(chunk);
      request.pause();
      resolve('TooLarge');
    });
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('error', reject);
    request.once('close', () => reject(new Error('The request was cut off.')));
  });
}
