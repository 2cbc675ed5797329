import type { ApiResponse } from './api.request.js';

/** What a client gets, down to the bytes: a kept answer must be given again exactly. */
export class Answer {
  constructor(
    readonly status: number,
    /** JSON. */
    readonly body: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  static ok(body: object): Answer {
    return new Answer(200, JSON.stringify(body));
  }
}

/** Every response leaves through here. Payment data is never for a cache. */
export function writeAnswer(response: ApiResponse, { status, body, headers }: Answer): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, {
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
  });
  response.end(body);
}
