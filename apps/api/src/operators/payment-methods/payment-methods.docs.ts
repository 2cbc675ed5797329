import {
  ErrorCode,
  type CreatedPaymentMethod,
  type FormConfig,
  type OperatorPaymentMethod,
} from '@tillstream/contracts';
import { answer, pageResponse, type EndpointTexts } from '../../openapi/endpoint.js';
import { pathParameter } from '../../openapi/parameters.js';
import * as s from '../../openapi/response.schema.js';
import { SAMPLE, PAYMENT_METHOD_ID } from '../../openapi/samples.js';
import { CURRENCY, PAYMENT_METHOD_TYPE } from '../../payment-methods/payment-method.responses.js';
import { SAMPLE_TERMINAL } from '../../transactions/transaction.samples.js';
import { MERCHANT_ID } from '../merchants/merchants.docs.js';

const FORM_CONFIG = s.shape<FormConfig>()('FormConfigOfAnswer', 'The settings of a hosted form.', {
  billingInfoCaptureLevel: s.optional(
    s.choice<'Minimal' | 'Full'>('The part of the billing address that the form asks for.', {
      Minimal: 'Country and ZIP or postal code.',
      Full: 'The whole address.',
    }),
  ),
  enable3DSecure: s.optional(s.yesOrNo('Whether the form authenticates the cardholder.')),
  piiFields: s.optional(
    s.list(
      'Other fields that the form asks for.',
      s.choice<'Email' | 'Phone'>('A field.', { Email: '', Phone: '' }),
    ),
  ),
});

const createdFields = {
  id: s.text('The id of the payment method.', SAMPLE.terminal),
  type: PAYMENT_METHOD_TYPE,
  currency: CURRENCY,
  description: s.optional(s.text('A name for people.', 'Front counter')),
  isDefault: s.yesOrNo('Whether it is used if a request names none; one per merchant and type.'),
  formConfig: s.optional(s.as(FORM_CONFIG, 'The settings of a form; a request can override them.')),
  allowedOrigins: s.optional(
    s.list('The pages that a form may notify when it ends.', s.text('An origin.', 'https://shop.example')),
  ),
};

const CREATED_PAYMENT_METHOD = s.shape<CreatedPaymentMethod>()(
  'CreatedPaymentMethod',
  'A new terminal or form.',
  createdFields,
);

const OPERATOR_PAYMENT_METHOD = s.shape<OperatorPaymentMethod>()(
  'OperatorPaymentMethod',
  'A terminal or form, disabled or not.',
  {
    ...createdFields,
    disabled: s.yesOrNo('Whether the service refuses it in new requests and hides it from its merchant.'),
  },
);

const OPERATOR_PAYMENT_METHOD_PAGE = s.pageOf('OperatorPaymentMethodPage', OPERATOR_PAYMENT_METHOD);

const SAMPLE_OPERATOR_METHOD: OperatorPaymentMethod = {
  id: SAMPLE.form,
  type: 'Virtual',
  currency: 'USD',
  description: 'Web shop',
  isDefault: true,
  formConfig: { billingInfoCaptureLevel: 'Full', enable3DSecure: true },
  allowedOrigins: ['https://shop.example'],
  disabled: false,
};

const { InvalidTransactionType, PaymentMethodNotFound, ResourceNotFound } = ErrorCode;
const unknownMerchant = { 400: [InvalidTransactionType], 404: [ResourceNotFound] };

export const OPERATOR_PAYMENT_METHOD_ENDPOINTS: EndpointTexts = {
  addTerminal: {
    summary: 'Add a terminal to a merchant',
    description: 'A terminal becomes the default only with `isDefault`, also the first one.',
    path: { merchantId: MERCHANT_ID },
    examples: {
      default: ['The default terminal', { description: 'Front counter', currency: 'USD', isDefault: true }],
      second: ['Another terminal', { description: 'Second till', currency: 'CAD' }],
    },
    rejections: unknownMerchant,
    response: answer('The terminal.', CREATED_PAYMENT_METHOD, { ...SAMPLE_TERMINAL, isDefault: true }),
  },
  addForm: {
    summary: 'Add a hosted form to a merchant',
    description: 'For cards, or for bank accounts of the US or of Canada.',
    path: { merchantId: MERCHANT_ID },
    examples: {
      cards: [
        'For cards, with 3-D Secure',
        {
          type: 'Virtual',
          currency: 'USD',
          description: 'Web shop',
          isDefault: true,
          formConfig: { billingInfoCaptureLevel: 'Full', enable3DSecure: true, piiFields: ['Email'] },
          allowedOrigins: ['https://shop.example'],
        },
      ],
      bank: ['For US bank accounts', { type: 'VirtualAch', currency: 'USD' }],
    },
    rejections: unknownMerchant,
    response: answer('The form.', CREATED_PAYMENT_METHOD, { ...SAMPLE_OPERATOR_METHOD, disabled: undefined }),
  },
  listPaymentMethodsOfMerchant: {
    summary: 'List the terminals and forms of a merchant',
    description: 'Also disabled ones, which the merchant does not see.',
    path: { merchantId: MERCHANT_ID },
    filters: {
      type: { description: 'The type.', example: 'Physical' },
      currency: { description: 'ISO 4217.', example: 'USD' },
      disabled: { description: 'true: only disabled ones; false: only enabled ones.', example: false },
    },
    rejections: { 404: [ResourceNotFound] },
    response: pageResponse(OPERATOR_PAYMENT_METHOD_PAGE, SAMPLE_OPERATOR_METHOD),
  },
  updatePaymentMethod: {
    summary: 'Change a terminal or form',
    description:
      'The service refuses a disabled one in new requests. Its earlier payments can still be captured, refunded and voided.',
    path: {
      id: pathParameter('The terminal or form.', { pattern: PAYMENT_METHOD_ID }, SAMPLE.form),
    },
    examples: {
      description: ['Another name', { description: 'Web shop' }],
      origins: ['Other origins', { allowedOrigins: ['https://shop.example', 'https://www.shop.example'] }],
    },
    rejections: { 400: [InvalidTransactionType], 404: [PaymentMethodNotFound] },
    response: answer('The terminal or form.', OPERATOR_PAYMENT_METHOD, SAMPLE_OPERATOR_METHOD),
  },
};
