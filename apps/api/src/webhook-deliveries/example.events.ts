import type { TransactionResult, TransactionType } from '@tillstream/contracts';
import type { WebhookEventType } from '@tillstream/domain';
import { sampleTokenOperation, sampleTransaction } from '../transactions/transaction.samples.js';

const TYPES: Readonly<Partial<Record<WebhookEventType, TransactionType>>> = {
  'sale.completed': 'Sale',
  'auth.completed': 'Auth',
  'capture.completed': 'Capture',
  'refund.completed': 'Refund',
  'void.completed': 'Void',
  'token.created': 'TokenCreate',
  'token.updated': 'TokenUpdate',
  'token.removed': 'TokenRemove',
  'payment.returned': 'Sale',
};

/** The types that an example exists of: those of transactions and tokens. */
export const EXAMPLE_TYPES = Object.keys(TYPES) as WebhookEventType[];

interface ExampleFacts {
  readonly eventId: string;
  readonly type: WebhookEventType;
  readonly timestamp: string;
  readonly merchantId: string;
}

/** The body of a test event: `event.test`, no `sequence`, and a transaction that does not exist. */
export function exampleBody({ eventId: id, type, timestamp, merchantId }: ExampleFacts): Uint8Array {
  const event = { id, type, timestamp, merchantId, test: true };
  return Buffer.from(JSON.stringify({ event, originalResponse: exampleOf(TYPES[type] ?? 'Sale') }));
}

function exampleOf(type: TransactionType): TransactionResult {
  return type.startsWith('Token') ? sampleTokenOperation({ type }) : sampleTransaction({ type });
}
