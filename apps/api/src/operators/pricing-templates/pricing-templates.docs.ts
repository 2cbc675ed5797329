import {
  ErrorCode,
  type FeeType,
  type PricingChannel,
  type PricingRule,
  type PricingTemplate,
  type PricingTemplateStatus,
} from '@tillstream/contracts';
import { answer, pageResponse, type EndpointTexts, type Examples } from '../../openapi/endpoint.js';
import { idParameter } from '../../openapi/parameters.js';
import * as s from '../../openapi/response.schema.js';
import { SAMPLE, SAMPLE_TIME } from '../../openapi/samples.js';
import { CARD_TYPE } from '../../payment-methods/payment-method.responses.js';
import { MERCHANT_ID } from '../merchants/merchants.docs.js';

/* Pricing templates as operators see them (`docs/spec/operators.md#pricing-templates`). */

const amount = { minimum: 0, maximum: 999_999_999 };

const RULE = s.shape<PricingRule>()('PricingRule', 'A fee of each payment that it fits.', {
  feeType: s.choice<FeeType>('Who gets the fee.', {
    Interchange: 'The issuer of the card.',
    Scheme: 'The card network.',
    Markup: 'The provider.',
  }),
  rateBps: s.integer('The part of the settled amount, in hundredths of a percent.', 30, {
    minimum: 0,
    maximum: 10_000,
  }),
  fixedAmount: s.integer('Added to it, in the smallest unit of the payment’s currency.', 10, amount),
  channel: s.optional(
    s.choice<PricingChannel>('How the payment is made. Absent: in any way.', {
      CardPresent: 'At a terminal.',
      CardNotPresent: 'By a hosted form for cards.',
      Token: 'With a stored card.',
      Ach: 'From a US bank account.',
      Eft: 'From a Canadian bank account.',
    }),
  ),
  cardType: s.optional(CARD_TYPE),
});

const TEMPLATE = s.shape<PricingTemplate>()('PricingTemplate', 'The prices of a merchant from a time on.', {
  id: s.id('The id of the template.', SAMPLE.pricingTemplate),
  merchantId: s.id('Whose prices they are.', SAMPLE.merchant),
  version: s.integer('Counts the templates of the merchant, from 1.', 1, { minimum: 1 }),
  name: s.text('A name for people.', 'Retail 2026'),
  rules: s.listOf(RULE, 'Of each fee type, the most specific rule that fits a payment counts.'),
  monthlyFee: s.integer('For each month, in cents.', 995, amount),
  returnFee: s.integer('For each return of a bank payment, in cents.', 500, amount),
  chargebackFee: s.integer('For each chargeback, in cents.', 1_500, amount),
  validFrom: s.time('When it begins.', '2026-09-01T00:00:00.000Z'),
  status: s.choice<PricingTemplateStatus>('Whether it counts.', {
    Submitted: 'It waits for a decision.',
    Approved: 'From `validFrom` on, until a later one begins.',
    Rejected: 'Never.',
  }),
  reason: s.optional(s.text('The reason of the decision.', 'as agreed')),
  createdAt: s.time('When it was submitted.'),
  updatedAt: s.time('When it was submitted or decided.'),
});

const TEMPLATE_PAGE = s.pageOf('PricingTemplatePage', TEMPLATE);

const SAMPLE_TEMPLATE: PricingTemplate = {
  id: SAMPLE.pricingTemplate,
  merchantId: SAMPLE.merchant,
  version: 1,
  name: 'Retail 2026',
  rules: [
    { feeType: 'Interchange', rateBps: 180, fixedAmount: 10 },
    { feeType: 'Markup', rateBps: 30, fixedAmount: 5 },
    { feeType: 'Markup', rateBps: 20, fixedAmount: 5, channel: 'CardPresent', cardType: 'VISA' },
    { feeType: 'Markup', rateBps: 0, fixedAmount: 25, channel: 'Ach' },
  ],
  ...{ monthlyFee: 995, returnFee: 500, chargebackFee: 1_500 },
  validFrom: '2026-09-01T00:00:00.000Z',
  status: 'Submitted',
  createdAt: SAMPLE_TIME,
  updatedAt: SAMPLE_TIME,
};

const { InvalidTransactionType, ResourceNotFound } = ErrorCode;
const rejections = { 400: [InvalidTransactionType], 404: [ResourceNotFound] };
const response = answer('The pricing template.', TEMPLATE, SAMPLE_TEMPLATE);
const path = { id: idParameter('The pricing template.', SAMPLE.pricingTemplate) };
const examples: Examples = {
  reason: ['With a reason', { reason: 'as agreed' }],
};
const { name, rules, monthlyFee, returnFee, chargebackFee, validFrom } = SAMPLE_TEMPLATE;

export const PRICING_TEMPLATE_ENDPOINTS: EndpointTexts = {
  submitPricingTemplate: {
    summary: 'Submit a pricing template of a merchant',
    description: 'It is the next version of the merchant’s prices. It counts once it is approved.',
    path: { merchantId: MERCHANT_ID },
    examples: {
      simplest: [
        'One markup',
        { name: 'Flat', rules: [{ feeType: 'Markup', rateBps: 290, fixedAmount: 30 }] },
      ],
      complete: ['With all its fields', { name, rules, monthlyFee, returnFee, chargebackFee, validFrom }],
    },
    rejections,
    response,
  },
  listPricingTemplates: {
    summary: 'List the pricing templates of a merchant',
    description: 'All versions, also rejected ones.',
    path: { merchantId: MERCHANT_ID },
    filters: { status: { description: 'Whether it counts.', example: 'Submitted' } },
    rejections: { 404: [ResourceNotFound] },
    response: pageResponse(TEMPLATE_PAGE, SAMPLE_TEMPLATE),
  },
  approvePricingTemplate: {
    summary: 'Approve a pricing template',
    description: 'It is final. Fees that were made before do not change.',
    path,
    examples,
    rejections,
    response: { ...response, example: { ...SAMPLE_TEMPLATE, status: 'Approved', reason: 'as agreed' } },
  },
  rejectPricingTemplate: {
    summary: 'Reject a pricing template',
    description: 'It is final.',
    path,
    examples,
    rejections,
    response: { ...response, example: { ...SAMPLE_TEMPLATE, status: 'Rejected', reason: 'as agreed' } },
  },
};
