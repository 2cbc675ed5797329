import { Buffer } from 'node:buffer';
import {
  resultText,
  type MerchantApplicationWebhook,
  type PaymentMethodDetails,
  type PricingTemplateWebhook,
  type TransactionResult,
  type TransactionType,
} from '@tillstream/contracts';
import type { WebhookEventType } from '@tillstream/domain';

/* Examples of bodies, for tests of an endpoint. Nothing in them exists. */

const TRANSACTIONS: Readonly<Partial<Record<WebhookEventType, TransactionType>>> = {
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

const APPLICATIONS: Readonly<
  Partial<Record<WebhookEventType, Omit<MerchantApplicationWebhook['merchantApplication'], 'id'>>>
> = {
  'merchant.application.started': { status: 'Started' },
  'merchant.application.info_uploaded': { status: 'InfoUploaded' },
  'merchant.application.requires_action': {
    status: 'RequiresAction',
    reason: 'The bank statement can not be read.',
    requiredActions: ['Upload the bank statement again'],
  },
  'merchant.application.submitted': { status: 'Submitted' },
  'merchant.application.status_changed': {
    status: 'InReview',
    reason: 'A person looks at it.',
  },
  'merchant.approved': { status: 'Approved' },
  'merchant.rejected': {
    status: 'Rejected',
    reason: 'The business can not be verified.',
  },
};

const TEMPLATES: Readonly<
  Partial<Record<WebhookEventType, Omit<PricingTemplateWebhook['pricingTemplate'], 'id' | 'name'>>>
> = {
  'pricing_template.approved': { status: 'Approved', reason: 'as agreed' },
  'pricing_template.rejected': { status: 'Rejected', reason: 'The fees are too low.' },
};

const APPLICATION_ID = 'app_01K4Q6J9M1P3R5T7V9X1Z3B5D7';
const TEMPLATE = { id: 'prt_01K4PZWT3E5Y7N9Q2S4V6X8001', name: 'Standard' };
const SALE_ID = 'trx_01K4Q0V7M3T8ZC5YB2X9WDEP00';
const TOKEN_OPERATION_ID = 'trx_01K4Q12C8VD3M7YPH5QS9ZET00';
const AMOUNT = 1250;
const CARD = { cardType: 'VISA', maskedCardNumber: '************4242', accountType: 'Credit' } as const;
const TERMINAL: PaymentMethodDetails = {
  id: 'pmt_trm_01K4PZX4J6R9T2WQ8VB5NMCHDA',
  type: 'Physical',
  currency: 'USD',
  description: 'Front counter',
  ...CARD,
};
const TOKEN: PaymentMethodDetails = {
  id: 'pmt_tkn_01K4Q12C8VD3M7YPH5QS9ZET00',
  type: 'Token',
  currency: 'USD',
  description: 'An example',
  ...CARD,
};

export interface ExampleFacts {
  readonly eventId: string;
  readonly type: WebhookEventType;
  readonly timestamp: string;
  readonly merchantId: string;
}

/** The body of a test event: `event.test`, and no `sequence` (`docs/spec/webhooks.md#payload`). */
export function exampleBody({ eventId: id, type, timestamp, merchantId }: ExampleFacts): Uint8Array {
  const event = { id, type, timestamp, merchantId, test: true };
  return Buffer.from(JSON.stringify({ event, ...exampleContent(type, timestamp) }));
}

/** What an event of this type is about: something that does not exist. `at`: its times, RFC 3339. */
export function exampleContent(type: WebhookEventType, at: string): object {
  const application = APPLICATIONS[type];
  if (application) return { merchantApplication: { id: APPLICATION_ID, ...application } };
  const template = TEMPLATES[type];
  if (template) return { pricingTemplate: { ...TEMPLATE, ...template } };
  return { originalResponse: transactionOf(TRANSACTIONS[type] ?? 'Sale', at) };
}

function transactionOf(type: TransactionType, at: string): TransactionResult {
  const isToken = type.startsWith('Token');
  const paymentMethod = isToken ? { ...TOKEN, ...(type === 'TokenRemove' && { dateDeleted: at }) } : TERMINAL;
  return {
    id: isToken ? TOKEN_OPERATION_ID : SALE_ID,
    referenceId: 'order-1001',
    type,
    status: 'Completed',
    resultCode: 0,
    resultText: resultText(0),
    ...(!isToken && { amount: AMOUNT }),
    currency: 'USD',
    transactionResponses: [
      {
        responseCode: 1,
        amountApproved: isToken ? 0 : AMOUNT,
        authCode: '004242',
        hostResponseText: 'APPROVED',
        paymentMethod,
        cardType: 'VISA',
        accountType: 'Credit',
        receipt: { lines: [] },
      },
    ],
    paymentMethod,
    createdAt: at,
    updatedAt: at,
  };
}
