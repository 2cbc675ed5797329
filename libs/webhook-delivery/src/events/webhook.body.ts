import { Buffer } from 'node:buffer';
import type { OperationId, PaymentState, TokenState } from '@tillstream/domain';
import { tokenOperationResult, transactionResult, type PresentedResult } from '@tillstream/presentation';
import type { WebhookEvent } from './webhook.events.js';

/** A body has fewer bytes (`docs/spec/webhooks.md#payload`). */
export const BODY_BYTES_LIMIT = 20_000;

export interface BodyFacts extends Pick<WebhookEvent, 'type' | 'timestamp' | 'merchantId'> {
  /** `evt_…`. */
  readonly eventId: string;
  /** Absent on test events. */
  readonly sequence?: number;
}

/**
 * The bytes of all deliveries of an event. `result`: at the revision of the stored event. It has no personal data (expiry,
 * billing contact): after an erasure the same bytes could not be made again.
 */
export function webhookBody(facts: BodyFacts, result: PresentedResult): Uint8Array {
  const { eventId: id, type, timestamp, merchantId, sequence } = facts;
  const event = {
    id,
    type,
    timestamp,
    merchantId,
    ...(sequence === undefined ? { test: true } : { sequence }),
  };
  // A credential of the customer, which only the answer to the request has.
  const { form: _form, ...originalResponse } = result;
  for (const shorter of shortened(originalResponse)) {
    const bytes = Buffer.from(JSON.stringify({ event, originalResponse: shorter }));
    if (bytes.length < BODY_BYTES_LIMIT) return bytes;
  }
  throw new RangeError(`the body of ${id} is not below ${BODY_BYTES_LIMIT} bytes`);
}

/** @throws RangeError for an operation that the payment does not have */
export function paymentResult(state: PaymentState, operationId: OperationId): PresentedResult {
  if (state.status === 'None') throw new RangeError(`there is no payment of ${operationId}`);
  return transactionResult(state, operationId);
}

/** @throws RangeError for an operation that the token does not have */
export function tokenResult(state: TokenState, operationId: OperationId): PresentedResult {
  if (state.status === 'None') throw new RangeError(`there is no token of ${operationId}`);
  return tokenOperationResult(state, operationId);
}

type OriginalResponse = Omit<PresentedResult, 'form'>;

/** Itself, then without the older responses, then without what its texts could be too long with: receipt and host text. */
function* shortened(result: OriginalResponse): Generator<OriginalResponse> {
  yield result;
  const newest = result.transactionResponses.slice(0, 1);
  yield { ...result, transactionResponses: newest };
  const withoutTexts = newest.map(({ hostResponseText: _text, ...response }) => ({
    ...response,
    receipt: { lines: [] },
  }));
  yield { ...result, transactionResponses: withoutTexts };
}
