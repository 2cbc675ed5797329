import { getSchemaPath, type OperationObject, type WebhooksObject } from '@nestjs/swagger';
import type { TransactionResult } from '@tillstream/contracts';
import { TRANSACTION_RESULT } from '../transactions/transaction.responses.js';
import { sampleTransaction } from '../transactions/transaction.samples.js';
import * as s from './response.schema.js';
import { SAMPLE, SAMPLE_TIME } from './samples.js';

/** When each event is sent (`docs/spec/webhooks.md#when-an-event-is-sent`). */
const EVENTS: Readonly<Record<string, string>> = {
  'sale.completed': 'a sale completes, approved or declined',
  'auth.completed': 'an authorization completes',
  'capture.completed': 'a capture completes',
  'refund.completed': 'a refund completes, executed as a void or without an original too',
  'void.completed': 'a void completes',
  'token.created': 'a card or bank account was stored',
  'token.updated': 'a stored one was changed',
  'token.removed': 'a stored one was removed; `paymentMethod` carries `dateDeleted`',
};

interface TransactionEvent {
  event: { id: string; type: string; timestamp: string; merchantId: string; sequence: number };
  originalResponse: TransactionResult;
}

const SAMPLE_EVENT = 'evt_01K4Q0V9W2X4Y6Z8A1B3C5D7EF';

export const TRANSACTION_EVENT = s.shape<TransactionEvent>()(
  'TransactionEvent',
  'A transaction in a webhook.',
  {
    event: s.inline<TransactionEvent['event']>('The event.', {
      id: s.id(
        'The same on every delivery of this event: ignore an event that you have handled.',
        SAMPLE_EVENT,
      ),
      type: s.text('What happened.', 'sale.completed'),
      timestamp: s.time('When it happened.'),
      merchantId: s.id('The merchant.', SAMPLE.merchant),
      sequence: s.integer('Orders the events of a merchant, from 1.', 1, { minimum: 1 }),
    }),
    originalResponse: s.as(TRANSACTION_RESULT, 'The transaction at the time of the event.'),
  },
);

/** The shapes of webhooks: no route serves them, so no decorator describes them. */
export function webhooksObject(): WebhooksObject {
  return Object.fromEntries(
    Object.entries(EVENTS).map(([type, when]) => [type, { post: eventObject(type, when) }]),
  );
}

function eventObject(type: string, when: string): OperationObject {
  const name = type.replace(/\.(\w)/g, (_match, letter: string) => letter.toUpperCase());
  const event = { id: SAMPLE_EVENT, type, timestamp: SAMPLE_TIME, merchantId: SAMPLE.merchant, sequence: 1 };
  return {
    operationId: `${name}Event`,
    tags: ['Events'],
    summary: type,
    description: `Sent when ${when}. The headers sign it: verify them before you read it.`,
    security: [],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { $ref: getSchemaPath(TRANSACTION_EVENT) },
          example: { event, originalResponse: sampleTransaction() },
        },
      },
    },
    responses: {
      '2XX': { description: 'You have saved the event durably. After any other response it is sent again.' },
      '4XX': { description: 'You refused the event; for example its signature is wrong.' },
    },
  };
}
