import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { API_VERSION } from '@tillstream/contracts';
import type { NextFunction } from 'express';
import { JsonResponse, sendJson } from './json.response.js';
import { envelope, unsupportedPayload } from './api.error.js';
import type { ApiRequest, ApiResponse } from './api.request.js';
import { traceIdOf } from './trace.js';

/** Sends an envelope where Node itself would send an empty 400: to a request that it can't read. */
export function respondToBrokenRequests(server: Server): void {
  // An unknown expectation may be ignored (RFC 9110, 10.1.1): the request is handled like any other.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  // After an ignored upgrade Node does not report unreadable requests of the connection: it would stay open without a
  // response. So it is closed after this one.
  server.prependListener('request', (request, response) => {
    if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
  });
  const broken = new WeakSet<Duplex>();
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (broken.has(socket)) return;
    broken.add(socket);
    if (error.code === 'ECONNRESET') socket.destroy();
    else respondInOrder(socket);
  });
}

/** Node's own: the next response on a connection, and its request. */
interface ConnectionState {
  readonly _httpMessage?: ServerResponse | null;
}

/**
 * Complete requests before it are still handled, and their responses are sent first: a client that takes this error for
 * the response to its payment would pay again.
 */
function respondInOrder(socket: Duplex): void {
  const { _httpMessage: current } = socket as ConnectionState;
  if (current?.req.complete) current.once('close', () => respondInOrder(socket));
  else if (!socket.writable || current?.headersSent) socket.destroy();
  else sendUnreadable(socket);
}

function sendUnreadable(socket: Duplex): void {
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

/** HTTP/1.1 requires a Host header, and 400 where it is missing. Node's own check is off, for its 400 is empty. */
export function requireHost(request: ApiRequest, response: ApiResponse, next: NextFunction): void {
  if (request.headers.host !== undefined || request.httpVersion !== '1.1') {
    next();
    return;
  }
  const error = unsupportedPayload('The header Host is missing.', 'received nothing, allowed a host', 'Host');
  request.logged.code = error.code;
  const { status, body } = envelope(error, request.traceId);
  // Its body was not read, so the connection can't be used again.
  sendJson(response, new JsonResponse(status, body, { connection: 'close' }));
}
