import { ErrorCode } from '@tillstream/contracts';
import { HOLDER_ID } from '../account-holders/account-holders.docs.js';
import { answer, pageResponse, type EndpointTexts } from '../openapi/endpoint.js';
import { idParameter } from '../openapi/parameters.js';
import { SAMPLE, SAMPLE_TIME } from '../openapi/samples.js';
import { TRANSACTION_RESULT } from '../transactions/transaction.responses.js';
import { FORM_FOLLOWS, WITH_FORM } from '../transactions/operations.docs.js';
import {
  SAMPLE_TERMINAL,
  SAMPLE_TOKEN,
  sampleTokenOperation,
  WAITING_FORM,
} from '../transactions/transaction.samples.js';
import { HOLDER_PAYMENT_METHOD_PAGE, PAYMENT_METHOD_PAGE } from './payment-method.responses.js';

export const PAYMENT_METHOD_ENDPOINTS: EndpointTexts = {
  listPaymentMethods: {
    summary: 'List terminals and hosted forms',
    description:
      'The terminals and forms that the merchant can use. Stored cards are listed by their account holder.',
    filters: {
      type: { description: 'The type.', example: 'Physical' },
      currency: { description: 'ISO 4217.', example: 'USD' },
    },
    response: pageResponse(PAYMENT_METHOD_PAGE, { ...SAMPLE_TERMINAL, isDefault: true }),
  },
};

export const HOLDER_TOKEN_ENDPOINTS: EndpointTexts = {
  listPaymentMethodsOfAccountHolder: {
    summary: 'List the stored cards of a person',
    description: 'Stored cards and bank accounts of one account holder.',
    path: { id: HOLDER_ID },
    filters: {
      type: { description: 'The type.', example: 'Token' },
      cardType: { description: 'The brand.', example: 'VISA' },
      accountType: { description: 'The kind of account.', example: 'Credit' },
      createdFrom: { description: 'Stored at this time or later.', example: SAMPLE_TIME },
      createdTo: { description: 'Stored before this time.', example: '2099-01-01T00:00:00Z' },
      includeDeleted: { description: 'Whether to list removed cards and accounts too.', example: true },
    },
    rejections: { 404: [ErrorCode.AccountHolderNotFound] },
    response: pageResponse(HOLDER_PAYMENT_METHOD_PAGE, SAMPLE_TOKEN),
  },
};

const token = idParameter('The stored card or bank account.', SAMPLE.token);
const { AccountHolderNotFound, TokenizedCardNotFound, ResourceNotReadyError, InvalidTransactionType } =
  ErrorCode;

export const TOKEN_ENDPOINTS: EndpointTexts = {
  storeCardFromTerminal: {
    summary: 'Store a card at a terminal',
    description:
      'Reads a card at a terminal and sends a card verification (0.00) to its issuer. An approved card is stored: the ' +
      'response has `responseCode` 1, and the stored card as `paymentMethod`. A declined card is not stored.',
    examples: {
      simplest: ['At the default terminal', {}],
      ofPerson: [
        'For an account holder that is found or created',
        {
          paymentMethodId: SAMPLE.terminal,
          description: 'Visa of Ann',
          accountHolder: { externalId: 'customer-1001', name: 'Ann Maple', email: 'ann@example.com' },
          referenceId: 'card-1001',
        },
      ],
    },
    rejections: {
      400: [ErrorCode.InvalidPaymentMethodType, ErrorCode.PaymentMethodUsageRestricted],
      404: [ErrorCode.PaymentMethodNotFound, AccountHolderNotFound],
    },
    response: answer(
      'The operation; `paymentMethod` is the stored card.',
      TRANSACTION_RESULT,
      sampleTokenOperation({ type: 'TokenCreate' }),
    ),
  },
  storeCardThroughForm: {
    summary: 'Store a card or US bank account through a hosted form',
    description:
      'Opens a form in which the customer enters a card. A card verification (0.00) is sent to its issuer. An approved card ' +
      'is stored. A form for US bank accounts has to be named; it stores the account at once, without a check. ' +
      FORM_FOLLOWS,
    examples: {
      simplest: ['With the default form', {}],
      complete: [
        'With all its fields',
        {
          paymentMethodId: SAMPLE.form,
          returnUrl: 'https://shop.example/cards',
          useJavaScriptCallback: true,
          formConfig: { billingInfoCaptureLevel: 'Full' },
          accountHolder: { externalId: 'customer-1001', name: 'Ann Maple' },
          description: 'Visa of Ann',
          referenceId: 'card-1001',
        },
      ],
    },
    rejections: WITH_FORM,
    response: answer(
      'The operation; its form waits for the customer.',
      TRANSACTION_RESULT,
      sampleTokenOperation({ type: 'TokenCreate', ...WAITING_FORM }),
    ),
  },
  updateToken: {
    summary: 'Change a stored card',
    description:
      'Changes the description, expiry date, billing contact or account holder of a stored card or bank account.',
    path: { id: token },
    examples: {
      expiry: ['A new expiry date', { cardExpDate: '1239', description: 'Visa of Ann' }],
      person: ['Another account holder', { accountHolder: { externalId: 'customer-1002', name: 'Ben Oak' } }],
    },
    rejections: {
      400: [InvalidTransactionType],
      404: [TokenizedCardNotFound, AccountHolderNotFound],
      409: [ResourceNotReadyError],
    },
    response: answer(
      'The operation; `paymentMethod` is the changed card.',
      TRANSACTION_RESULT,
      sampleTokenOperation({ type: 'TokenUpdate', transactionResponses: [] }),
    ),
  },
  removeToken: {
    summary: 'Remove a stored card',
    description:
      'Destroys the keys of its data permanently. Payments with it can still be captured, refunded and voided.',
    path: { id: token },
    rejections: { 404: [TokenizedCardNotFound], 409: [ResourceNotReadyError] },
    response: answer(
      'The operation; `paymentMethod` has `dateDeleted`.',
      TRANSACTION_RESULT,
      sampleTokenOperation({
        type: 'TokenRemove',
        transactionResponses: [],
        paymentMethod: {
          id: SAMPLE.token,
          type: 'Token',
          currency: 'USD',
          dateDeleted: SAMPLE_TIME,
          cardType: 'VISA',
        },
      }),
    ),
  },
};
