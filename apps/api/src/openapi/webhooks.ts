import { getSchemaPath, type OperationObject, type WebhooksObject } from '@nestjs/swagger';
import type {
  MerchantApplicationWebhook,
  PricingTemplateWebhook,
  TransactionResult,
  WebhookEventType,
} from '@tillstream/contracts';
import { exampleContent } from '@tillstream/webhook-delivery';
import { TRANSACTION_RESULT } from '../transactions/transaction.responses.js';
import * as s from './response.schema.js';
import { SAMPLE, SAMPLE_TIME } from './samples.js';

/** When each event is sent (`docs/spec/webhooks.md#when-an-event-is-sent`). */
const EVENTS: Readonly<Record<WebhookEventType, string>> = {
  'sale.completed': 'a sale completes, approved or declined',
  'auth.completed': 'an authorization completes',
  'capture.completed': 'a capture completes',
  'refund.completed': 'a refund completes, executed as a void or without an original too',
  'void.completed': 'a void completes',
  'token.created': 'a card or bank account was stored',
  'token.updated': 'a stored one was changed',
  'token.removed': 'a stored one was removed; `paymentMethod` carries `dateDeleted`',
  'merchant.application.started': 'the merchant’s application is started',
  'merchant.application.info_uploaded': 'the merchant uploaded information',
  'merchant.application.requires_action': 'the merchant has to do something',
  'merchant.application.submitted': 'the application is submitted, and its review begins',
  'merchant.application.status_changed': 'the review gets another status',
  'merchant.approved': 'the merchant is approved',
  'merchant.rejected': 'the merchant is rejected',
  'pricing_template.approved': 'a pricing template of the merchant is approved',
  'pricing_template.rejected': 'a pricing template of the merchant is rejected',
  'payment.returned': 'a bank returns a payment; only to endpoints that name this type',
};

const LIFECYCLE = /^(merchant|pricing_template)\./;

interface EventFacts {
  id: string;
  type: string;
  timestamp: string;
  merchantId: string;
  sequence: number;
}
interface TransactionEvent {
  event: EventFacts;
  originalResponse: TransactionResult;
}
interface ApplicationEvent {
  event: EventFacts;
  merchantApplication: MerchantApplicationWebhook['merchantApplication'];
}
interface PricingEvent {
  event: EventFacts;
  pricingTemplate: PricingTemplateWebhook['pricingTemplate'];
}

const SAMPLE_EVENT = 'evt_01K4Q0V9W2X4Y6Z8A1B3C5D7EF';

const event = s.inline<EventFacts>('The event.', {
  id: s.id('The same on every delivery of this event: ignore an event that you have handled.', SAMPLE_EVENT),
  type: s.text('What happened.', 'sale.completed'),
  timestamp: s.time('When it happened.'),
  merchantId: s.id('The merchant.', SAMPLE.merchant),
  sequence: s.integer('Orders the events of a merchant, from 1.', 1, { minimum: 1 }),
});

const TRANSACTION_EVENT = s.shape<TransactionEvent>()('TransactionEvent', 'A transaction in a webhook.', {
  event,
  originalResponse: s.as(TRANSACTION_RESULT, 'The transaction at the time of the event.'),
});

const APPLICATION_EVENT = s.shape<ApplicationEvent>()(
  'MerchantApplicationEvent',
  'The application of a merchant in a webhook.',
  {
    event,
    merchantApplication: s.inline<ApplicationEvent['merchantApplication']>(
      'The application after the step that the event is about.',
      {
        id: s.id('The id of the application.', SAMPLE.application),
        status: s.text(
          '`Started`, `InfoUploaded`, `RequiresAction`, `Submitted`, `Approved`, `Rejected`, or the status of a reviewer.',
          'Submitted',
        ),
        reason: s.optional(s.text('The reason of the step.', 'The bank statement is missing.')),
        requiredActions: s.optional(
          s.list('What the merchant has to do.', s.text('An action.', 'Upload a bank statement')),
        ),
      },
    ),
  },
);

const PRICING_EVENT = s.shape<PricingEvent>()('PricingTemplateEvent', 'A pricing template in a webhook.', {
  event,
  pricingTemplate: s.inline<PricingEvent['pricingTemplate']>('The template after its decision.', {
    id: s.id('The id of the template.', SAMPLE.pricingTemplate),
    name: s.text('A name for people.', 'Retail 2026'),
    status: s.choice<PricingEvent['pricingTemplate']['status']>('The decision.', {
      Approved: '',
      Rejected: '',
    }),
    reason: s.optional(s.text('The reason of the decision.', 'as agreed')),
  }),
});

/** No route serves them, so no controller names them. */
export const EVENT_SHAPES = [TRANSACTION_EVENT, APPLICATION_EVENT, PRICING_EVENT] as const;

function shapeOf(type: string): (typeof EVENT_SHAPES)[number] {
  if (type.startsWith('merchant.')) return APPLICATION_EVENT;
  return type.startsWith('pricing_template.') ? PRICING_EVENT : TRANSACTION_EVENT;
}

/** The shapes of webhooks: no route serves them, so no decorator describes them. */
export function webhooksObject(): WebhooksObject {
  return Object.fromEntries(
    Object.entries(EVENTS).map(([type, when]) => [
      type,
      { post: eventObject(type as WebhookEventType, when) },
    ]),
  );
}

function eventObject(type: WebhookEventType, when: string): OperationObject {
  const name = type.replace(/[._](\w)/g, (_match, letter: string) => letter.toUpperCase());
  const facts = { id: SAMPLE_EVENT, type, timestamp: SAMPLE_TIME, merchantId: SAMPLE.merchant, sequence: 1 };
  const receivers = LIFECYCLE.test(type) ? ' Only managed endpoints get it.' : '';
  return {
    operationId: `${name}Event`,
    tags: ['Events'],
    summary: type,
    description: `Sent when ${when}.${receivers} The headers sign it: verify them before you read it.`,
    security: [],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { $ref: getSchemaPath(shapeOf(type)) },
          example: { event: facts, ...exampleContent(type, SAMPLE_TIME) },
        },
      },
    },
    responses: {
      '2XX': { description: 'You have saved the event durably. After any other response it is sent again.' },
      '4XX': { description: 'You refused the event; for example its signature is wrong.' },
    },
  };
}
