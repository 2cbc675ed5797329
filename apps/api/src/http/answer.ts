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
  const bytes = Buffer.byteLength(body);
  response.writeHead(status, {
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': bytes,
    'cache-control': 'no-store',
  });
  // Where each character is a byte it is the same in both, and Node has nothing to convert.
  response.end(body, bytes === body.length ? 'latin1' : 'utf8');
}
