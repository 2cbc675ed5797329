import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { API_VERSION, ErrorCode } from '@tillstream/contracts';
import { ApiError, envelopeAnswer } from './api.error.js';
import { traceIdOf } from './trace.js';

/** What is no HTTP at all, or comes too slowly, gets an envelope too, and its connection is closed. */
export function answerBrokenRequests(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    const { _httpMessage: begun } = socket as { _httpMessage?: { headersSent: boolean } };
    if (error.code === 'ECONNRESET' || !socket.writable || begun?.headersSent) {
      socket.destroy();
      return;
    }
    const traceId = traceIdOf(undefined);
    const code = ErrorCode.RequestValidationUnsupportedPayload;
    const { body } = envelopeAnswer(new ApiError(400, code, 'The request could not be read.'), traceId);
    const headers = [
      'HTTP/1.1 400 Bad Request',
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      `x-trace-id: ${traceId}`,
      `x-api-version: ${API_VERSION}`,
      'connection: close',
    ];
    socket.end(`${headers.join('\r\n')}\r\n\r\n${body}`);
  });
}
