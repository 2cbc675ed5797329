import { formatOperationId, parseOperationId, type OperationId } from '../shared/ids.js';

export const PAYMENT_CATEGORY = 'payment';

export function paymentStream(root: string): string {
  return `${PAYMENT_CATEGORY}-${root}`;
}

/** Undefined if the text is not the id of a payment's operation. */
export function streamOfOperation(text: string): string | undefined {
  const address = parseOperationId(text);
  return address?.category === 'payment' ? paymentStream(address.root) : undefined;
}

/** The operation that opened the stream. */
export function openingOperationId(stream: string): OperationId {
  return formatOperationId({
    category: 'payment',
    root: stream.slice(PAYMENT_CATEGORY.length + 1),
    number: 0,
  });
}
