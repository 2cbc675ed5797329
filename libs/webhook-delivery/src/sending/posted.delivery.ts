export interface DeliveryRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface DeliveryAnswer {
  /** Of HTTP; undefined if the endpoint did not answer. */
  readonly status: number | undefined;
  /** The header `Retry-After`. */
  readonly retryAfter?: string;
  /** The first bytes of the answer's body, at most `ANSWER_BYTES_MAX`. */
  readonly answer: Uint8Array;
  readonly durationMs: number;
  /** Why there is no whole answer, in one sentence for the merchant. */
  readonly error?: string;
}

/** For all of one request: look-up, connection, headers and body. */
export const TIME_LIMIT_MS = 15_000;
export const ANSWER_BYTES_MAX = 4_096;
