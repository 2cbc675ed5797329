import type {
  MerchantApplicationEventType,
  MerchantApplicationWebhook,
  PricingTemplateEventType,
  PricingTemplateWebhook,
  TransactionType,
  TransactionWebhook,
} from '@tillstream/contracts';
import type { WebhookEventType } from '@tillstream/domain';
import { SAMPLE } from '../openapi/samples.js';
import { sampleTokenOperation, sampleTransaction } from '../transactions/transaction.samples.js';

type ExampleContent =
  | Pick<TransactionWebhook, 'originalResponse'>
  | Pick<MerchantApplicationWebhook, 'merchantApplication'>
  | Pick<PricingTemplateWebhook, 'pricingTemplate'>;

const transaction = (type: TransactionType) => ({ originalResponse: sampleTransaction({ type }) });
const token = (type: TransactionType) => ({ originalResponse: sampleTokenOperation({ type }) });
const application = (status: string, more: object = {}) => ({
  merchantApplication: { id: SAMPLE.application, status, ...more },
});
const template = (
  status: PricingTemplateWebhook['pricingTemplate']['status'],
  reason: string,
): Pick<PricingTemplateWebhook, 'pricingTemplate'> => ({
  pricingTemplate: { id: SAMPLE.pricingTemplate, name: 'Retail 2026', status, reason },
});

const LIFECYCLE_EXAMPLES: Readonly<
  Record<MerchantApplicationEventType | PricingTemplateEventType, () => ExampleContent>
> = {
  'merchant.application.started': () => application('Started'),
  'merchant.application.info_uploaded': () => application('InfoUploaded'),
  'merchant.application.requires_action': () =>
    application('RequiresAction', {
      reason: 'The bank statement is missing.',
      requiredActions: ['Upload a bank statement'],
    }),
  'merchant.application.submitted': () => application('Submitted'),
  'merchant.application.status_changed': () =>
    application('UnderReview', { reason: 'An underwriter reads it.' }),
  'merchant.approved': () => application('Approved'),
  'merchant.rejected': () => application('Rejected', { reason: 'The business is not supported.' }),
  'pricing_template.approved': () => template('Approved', 'as agreed'),
  'pricing_template.rejected': () => template('Rejected', 'The markup is too low.'),
};

const EXAMPLES: Readonly<Record<WebhookEventType, () => ExampleContent>> = {
  'sale.completed': () => transaction('Sale'),
  'auth.completed': () => transaction('Auth'),
  'capture.completed': () => transaction('Capture'),
  'refund.completed': () => transaction('Refund'),
  'void.completed': () => transaction('Void'),
  'token.created': () => token('TokenCreate'),
  'token.updated': () => token('TokenUpdate'),
  'token.removed': () => token('TokenRemove'),
  ...LIFECYCLE_EXAMPLES,
  'payment.returned': () => transaction('Sale'),
};

/** All types. */
export const EXAMPLE_TYPES = Object.keys(EXAMPLES) as WebhookEventType[];

/** What an event of this type is about: something that does not exist. */
export function exampleContent(type: WebhookEventType): ExampleContent {
  return EXAMPLES[type]();
}

interface ExampleFacts {
  readonly eventId: string;
  readonly type: WebhookEventType;
  readonly timestamp: string;
  readonly merchantId: string;
}

/** The body of a test event: `event.test` and no `sequence`. */
export function exampleBody({ eventId: id, type, timestamp, merchantId }: ExampleFacts): Uint8Array {
  const event = { id, type, timestamp, merchantId, test: true };
  return Buffer.from(JSON.stringify({ event, ...exampleContent(type) }));
}
