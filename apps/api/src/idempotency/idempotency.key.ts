import { createHash } from 'node:crypto';
import { ErrorCode, type ErrorDetail } from '@tillstream/contracts';
import type { ApiRequest } from '../http/api.request.js';
import { received } from '../validation/received.text.js';

export const IDEMPOTENCY_KEY = 'Idempotency-Key';
const FORM = /^[\x20-\x7e]{1,255}$/;

/** Undefined: none was sent. An error where it has no good form (`docs/spec/idempotency.md#idempotency-key`). */
export function idempotencyKey(request: ApiRequest): { readonly key?: string; readonly error?: ErrorDetail } {
  const sent = request.headersDistinct['idempotency-key'];
  if (!sent) return {};
  const [key = '', second] = sent;
  if (second === undefined && FORM.test(key)) return { key };
  const allowed = 'one header of 1 to 255 printable ASCII characters';
  const message = `${IDEMPOTENCY_KEY} must be ${allowed}.`;
  const got = second === undefined ? received(key) : `received ${sent.length} headers`;
  return { error: keyError(message, `${got}, allowed ${allowed}`) };
}

export function keyError(message: string, details: string): ErrorDetail {
  return { code: ErrorCode.RequestValidationGenericError, field: IDEMPOTENCY_KEY, message, details };
}

/** The same method, path and body bytes have the same one. */
export function fingerprintOf(request: ApiRequest, body: Uint8Array): string {
  const [path] = request.originalUrl.split('?', 1);
  return createHash('sha256').update(`${request.method}\n${path}\n`).update(body).digest('hex');
}
