import { isReading, type ApiRequest } from './api.request.js';
import { readBody, ReceivedBody } from './received.body.js';

/**
 * Whether an earlier request may have stored what this one asks for: it has an `Idempotency-Key` that was not looked up,
 * or a `referenceId`. An error of such a request does not say that the earlier one stored nothing.
 */
export async function mayRepeatAnother(request: ApiRequest): Promise<boolean> {
  if (isReading(request)) return false;
  const { keyed, headers } = request;
  if (headers['idempotency-key'] !== undefined)
    return !keyed?.ticket || keyed.ticket.earlierReservation !== undefined;
  return hasReference(request);
}

/** Reads the body where the request failed before it was read. */
async function hasReference(request: ApiRequest): Promise<boolean> {
  const received: unknown = request.body;
  const isRead = received instanceof ReceivedBody;
  if (!isRead && (request.readableEnded || request.destroyed)) return false;
  try {
    const bytes = isRead ? received.bytes : await readBody(request);
    const body = JSON.parse(bytes.toString('utf8')) as { readonly referenceId?: unknown } | null;
    return body?.referenceId !== undefined && body.referenceId !== null;
  } catch {
    return false;
  }
}
