import { ErrorCode } from '@tillstream/contracts';
import {
  OPERATOR_PAYMENT_METHOD_FILTERS,
  OperatorPaymentMethodsController,
} from '../../operators/payment-methods/payment-methods.controller.js';
import { ProjectionsController } from '../../operators/projections/projections.controller.js';
import {
  UNKNOWN_OUTCOME_FILTERS,
  UnknownOutcomesController,
} from '../../operators/unknown-outcomes/unknown-outcomes.controller.js';
import {
  CREATED_PAYMENT_METHOD,
  OPERATOR_PAYMENT_METHOD,
  OPERATOR_PAYMENT_METHOD_PAGE,
} from '../answers/merchant.answers.js';
import {
  PROJECTION,
  PROJECTION_PAGE,
  UNKNOWN_OUTCOME_ANSWER,
  UNKNOWN_OUTCOME_PAGE,
} from '../answers/operation.answers.js';
import { samplePage, SAMPLE_TERMINAL, sampleTransaction } from '../answers/samples.answers.js';
import { SAMPLE_OPERATOR_METHOD } from '../answers/samples.merchants.js';
import { NEW_FORM, NEW_TERMINAL, PAYMENT_METHOD_CHANGE } from '../bodies/merchant.bodies.js';
import { NO_FIELDS } from '../bodies/payment-method.bodies.js';
import { RESOLUTION } from '../bodies/unknown-outcome.bodies.js';
import { pathsOf } from '../operation.text.js';
import { listText, pathParameter } from '../parameters.js';
import { SAMPLE, SAMPLE_TIME, ULID } from '../samples.js';
import { MERCHANT_ID } from './merchants.paths.js';

const { InvalidTransactionType, PaymentMethodNotFound, ResourceNotFound } = ErrorCode;
const unknownMerchant = { 400: [InvalidTransactionType], 404: [ResourceNotFound] };
const nothing = {
  schema: NO_FIELDS,
  mayBeEmpty: true,
  examples: { none: { summary: 'Nothing', value: {} } },
};

export const OPERATOR_PAYMENT_METHODS_PATHS = pathsOf(OperatorPaymentMethodsController, 'Payment methods', {
  addTerminal: {
    operationId: 'addTerminal',
    summary: 'Give a merchant a terminal',
    description: 'The first of its type becomes the default only where that is asked for.',
    path: { merchantId: MERCHANT_ID },
    body: {
      schema: NEW_TERMINAL,
      mayBeEmpty: true,
      examples: {
        default: {
          summary: 'The default one',
          value: { description: 'Front counter', currency: 'USD', isDefault: true },
        },
        second: { summary: 'One more', value: { description: 'Second till', currency: 'CAD' } },
      },
    },
    refusals: unknownMerchant,
    answer: {
      description: 'The terminal.',
      schema: CREATED_PAYMENT_METHOD,
      example: { ...SAMPLE_TERMINAL, isDefault: true },
    },
  },
  addForm: {
    operationId: 'addForm',
    summary: 'Give a merchant a hosted form',
    description: 'For cards, or for bank accounts of the US or of Canada.',
    path: { merchantId: MERCHANT_ID },
    body: {
      schema: NEW_FORM,
      examples: {
        cards: {
          summary: 'For cards, with 3-D Secure',
          value: {
            type: 'Virtual',
            currency: 'USD',
            description: 'Web shop',
            isDefault: true,
            formConfig: { billingInfoCaptureLevel: 'Full', enable3DSecure: true, piiFields: ['Email'] },
            allowedOrigins: ['https://shop.example'],
          },
        },
        bank: { summary: 'For US bank accounts', value: { type: 'VirtualAch', currency: 'USD' } },
      },
    },
    refusals: unknownMerchant,
    answer: {
      description: 'The form.',
      schema: CREATED_PAYMENT_METHOD,
      example: { ...SAMPLE_OPERATOR_METHOD, disabled: undefined },
    },
  },
  list: {
    operationId: 'listPaymentMethodsOfMerchant',
    summary: 'List the terminals and forms of a merchant',
    description: 'Disabled ones too, which the merchant does not see.',
    path: { merchantId: MERCHANT_ID },
    list: listText(
      OPERATOR_PAYMENT_METHOD_FILTERS,
      {
        type: { description: 'Of which kind.', example: 'Physical' },
        currency: { description: 'ISO 4217.', example: 'USD' },
        disabled: { description: 'Only disabled ones, or only others.', example: false },
      },
      { sorts: ['createdAt'], totals: true },
    ),
    refusals: { 404: [ResourceNotFound] },
    answer: {
      description: 'A page of them.',
      schema: OPERATOR_PAYMENT_METHOD_PAGE,
      example: samplePage(SAMPLE_OPERATOR_METHOD),
    },
  },
  change: {
    operationId: 'updatePaymentMethod',
    summary: 'Change a terminal or form',
    description: 'Of whichever merchant. A disabled one is refused in new requests; its payments go on.',
    path: {
      id: pathParameter('The terminal or form.', { pattern: `^pmt_[a-z]+_${ULID.pattern}$` }, SAMPLE.form),
    },
    body: {
      schema: PAYMENT_METHOD_CHANGE,
      examples: {
        description: { summary: 'Another name', value: { description: 'Web shop' } },
        origins: {
          summary: 'Where the form is shown',
          value: { allowedOrigins: ['https://shop.example', 'https://www.shop.example'] },
        },
      },
    },
    refusals: { 400: [InvalidTransactionType], 404: [PaymentMethodNotFound] },
    answer: {
      description: 'The terminal or form.',
      schema: OPERATOR_PAYMENT_METHOD,
      example: SAMPLE_OPERATOR_METHOD,
    },
  },
});

const operation = pathParameter('The operation.', { pattern: `^trx_${ULID.pattern}$` }, SAMPLE.unknown);
const unknownOutcome = {
  transactionId: SAMPLE.unknown,
  merchantId: SAMPLE.merchant,
  type: 'Sale',
  amount: 1250,
  currency: 'USD',
  since: SAMPLE_TIME,
  inquiries: 3,
};
const outcomeAnswer = {
  description: 'Where it stands now.',
  schema: UNKNOWN_OUTCOME_ANSWER,
  example: { ...unknownOutcome, state: 'Known', transaction: sampleTransaction({ id: SAMPLE.unknown }) },
};
const refusals = { 400: [InvalidTransactionType], 404: [ResourceNotFound] };

export const UNKNOWN_OUTCOMES_PATHS = pathsOf(UnknownOutcomesController, 'Unknown outcomes', {
  list: {
    operationId: 'listUnknownOutcomes',
    summary: 'List operations whose outcome nobody knows',
    description: 'The longest unknown first, those too that only an operator can tell any more.',
    list: listText(UNKNOWN_OUTCOME_FILTERS, {
      merchantId: { description: 'Of this merchant.', example: SAMPLE.merchant },
    }),
    answer: {
      description: 'A page of them.',
      schema: UNKNOWN_OUTCOME_PAGE,
      example: samplePage({ ...unknownOutcome, nextInquiryAt: SAMPLE_TIME }),
    },
  },
  inquire: {
    operationId: 'inquireNow',
    summary: 'Ask the processor now',
    description: 'Not before the first inquiry is due: until then the answer may still come (409, 3401).',
    path: { transactionId: operation },
    body: nothing,
    refusals,
    answer: outcomeAnswer,
  },
  resolve: {
    operationId: 'resolveUnknownOutcome',
    summary: 'Say what became of it',
    description:
      'For what the processor can’t tell by itself. In live mode a second operator, with a key of their own, confirms ' +
      'amounts above a configured one.',
    path: { transactionId: operation },
    body: {
      schema: RESOLUTION,
      examples: {
        approved: {
          summary: 'It happened',
          value: { outcome: 'Approved', reason: 'told by the processor on the phone', authCode: '004242' },
        },
        notReceived: {
          summary: 'It did not',
          value: { outcome: 'NotReceived', reason: 'not in the processor’s report of that day' },
        },
      },
    },
    refusals,
    answer: outcomeAnswer,
  },
});

const projection = { name: 'transactions', status: 'Live', lagEvents: 0, updatedAt: SAMPLE_TIME };

export const PROJECTIONS_PATHS = pathsOf(ProjectionsController, 'Projections', {
  list: {
    operationId: 'listProjections',
    summary: 'List the lists that are made from events',
    description: 'Whether they follow, and how far behind they are.',
    list: listText({}, {}),
    answer: { description: 'A page of them.', schema: PROJECTION_PAGE, example: samplePage(projection) },
  },
  rebuild: {
    operationId: 'rebuildProjection',
    summary: 'Make a list anew',
    description:
      'Answers at once. The list that is there answers all the while, until the new one has caught up.',
    path: { name: pathParameter('The list.', { minLength: 1 }, 'transactions') },
    body: nothing,
    refusals: { 404: [ResourceNotFound] },
    answer: {
      description: 'It has begun.',
      schema: PROJECTION,
      example: { ...projection, status: 'Rebuilding' },
    },
  },
});
