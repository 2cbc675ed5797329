import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { API_VERSION } from '@tillstream/contracts';
import type { NextFunction } from 'express';
import { JsonResponse, sendJson } from './json.response.js';
import { envelope, unsupportedPayload } from './api.error.js';
import type { ApiRequest, ApiResponse } from './api.request.js';
import { traceIdOf } from './trace.js';

/** What Node would answer by itself, bare. What is no HTTP at all, or comes too slowly, ends its connection. */
export function answerBrokenRequests(server: Server): void {
  // An expectation that nobody knows may be passed over (RFC 9110, 10.1.1): the request is answered like any other.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  // Nothing else is spoken here. After an upgrade that was passed over, Node says no more of what it can't read on that
  // connection: it would stay open, and silent.
  server.prependListener('request', (request, response) => {
    if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
  });
  const broken = new WeakSet<Duplex>();
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (broken.has(socket)) return;
    broken.add(socket);
    if (error.code === 'ECONNRESET') socket.destroy();
    else answerWhenItIsNext(socket);
  });
}

/** Node's own: the answer that is next on a connection, and its request. */
interface Answering {
  readonly _httpMessage?: ServerResponse | null;
}

/**
 * Requests before it that came whole are being carried out, and are answered first: a client that read of a payment that
 * it could not be read would pay again.
 */
function answerWhenItIsNext(socket: Duplex): void {
  const { _httpMessage: begun } = socket as Answering;
  if (begun?.req.complete) begun.once('close', () => answerWhenItIsNext(socket));
  else if (!socket.writable || begun?.headersSent) socket.destroy();
  else answerUnreadable(socket);
}

function answerUnreadable(socket: Duplex): void {
  const traceId = traceIdOf(undefined);
  const details = 'received something else, allowed a whole HTTP/1.1 request in time';
  const { body } = envelope(unsupportedPayload('The request could not be read.', details), traceId);
  const headers = [
    'HTTP/1.1 400 Bad Request',
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-trace-id: ${traceId}`,
    `x-api-version: ${API_VERSION}`,
    'connection: close',
  ];
  socket.end(`${headers.join('\r\n')}\r\n\r\n${body}`);
}

/** HTTP/1.1 asks for a Host header, and for 400 where it is missing: Node's own 400 is empty, so it is told not to look. */
export function requireHost(request: ApiRequest, response: ApiResponse, next: NextFunction): void {
  if (request.headers.host !== undefined || request.httpVersion !== '1.1') {
    next();
    return;
  }
  const error = unsupportedPayload('The header Host is missing.', 'received nothing, allowed a host', 'Host');
  request.logged.code = error.code;
  const { status, body } = envelope(error, request.traceId);
  // Nobody read its body: nothing else can come on this connection.
  sendJson(response, new JsonResponse(status, body, { connection: 'close' }));
}
