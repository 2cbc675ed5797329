import type { ApiRequest } from './api.request.js';
import { readBody } from './body.reader.js';

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Whether an earlier request may have stored what this one asks for: it comes under an `Idempotency-Key` that was not
 * looked up, or with a `referenceId`. A failure of such a request is no word on the earlier one.
 */
export async function mayRepeatAnother(request: ApiRequest): Promise<boolean> {
  if (READING.has(request.method)) return false;
  if (request.headers['idempotency-key'] !== undefined) return request.isFirstOfItsKey !== true;
  return request.namesReference ?? (await hasReference(request));
}

/** Of a body that no one has read yet: the request failed before. */
async function hasReference(request: ApiRequest): Promise<boolean> {
  if (request.readableEnded || request.destroyed) return false;
  try {
    const body: unknown = JSON.parse((await readBody(request)).toString('utf8'));
    return typeof body === 'object' && body !== null && 'referenceId' in body;
  } catch {
    return false;
  }
}
