import type { ApiResponse } from './api.request.js';

/** A response down to its bytes: a stored response must be sent again exactly. */
export class JsonResponse {
  constructor(
    readonly status: number,
    /** JSON. */
    readonly body: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  static ok(body: object): JsonResponse {
    return new JsonResponse(200, JSON.stringify(body));
  }
}

/** Thrown instead of running a request again: an earlier request with its `Idempotency-Key` has this response. */
export class RepeatedRequest extends Error {
  override readonly name = 'RepeatedRequest';
  constructor(readonly response: JsonResponse) {
    super('an earlier request with this Idempotency-Key has a response');
  }
}

/** Every JSON response is sent here. No cache may store payment data. */
export function sendJson(response: ApiResponse, { status, body, headers }: JsonResponse): void {
  if (response.headersSent || response.destroyed) return;
  const bytes = Buffer.byteLength(body);
  response.writeHead(status, {
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': bytes,
    'cache-control': 'no-store',
  });
  // If each character is one byte, both encodings are the same, and Node converts nothing.
  response.end(body, bytes === body.length ? 'latin1' : 'utf8');
}
