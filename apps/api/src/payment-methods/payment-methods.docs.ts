import { ErrorCode } from '@tillstream/contracts';
import { HOLDER_ID } from '../account-holders/account-holders.docs.js';
import { answer, pageResponse, type EndpointTexts } from '../openapi/endpoint.js';
import { idParameter } from '../openapi/parameters.js';
import { SAMPLE, SAMPLE_TIME } from '../openapi/samples.js';
import { TRANSACTION_RESULT } from '../transactions/transaction.responses.js';
import { SAMPLE_TERMINAL, SAMPLE_TOKEN, sampleTokenOperation } from '../transactions/transaction.samples.js';
import { HOLDER_PAYMENT_METHOD_PAGE, PAYMENT_METHOD_PAGE } from './payment-method.responses.js';

export const PAYMENT_METHOD_ENDPOINTS: EndpointTexts = {
  listPaymentMethods: {
    summary: 'List terminals and hosted forms',
    description: 'Those that the merchant can use. Stored cards are listed by their account holder.',
    filters: {
      type: { description: 'Of which kind.', example: 'Physical' },
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
      type: { description: 'Of which kind.', example: 'Token' },
      cardType: { description: 'Of which brand.', example: 'VISA' },
      accountType: { description: 'Of which kind of account.', example: 'Credit' },
      createdFrom: { description: 'Stored at this time or later.', example: SAMPLE_TIME },
      createdTo: { description: 'Stored before this time.', example: '2099-01-01T00:00:00Z' },
      includeDeleted: { description: 'Whether to list removed ones too.', example: true },
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
      'Takes a card at a terminal, asks its issuer about it for 0.00, and keeps it where that is approved: ' +
      '`responseCode` 1, and the stored card as `paymentMethod`. A declined one is not kept.',
    examples: {
      simplest: ['At the default terminal', {}],
      ofPerson: [
        'For a person that is found or made',
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
  updateToken: {
    summary: 'Change a stored card',
    description:
      'Description, expiry date, billing contact or account holder of a stored card or bank account.',
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
      'The operation; `paymentMethod` is the stored card as it is now.',
      TRANSACTION_RESULT,
      sampleTokenOperation({ type: 'TokenUpdate', transactionResponses: [] }),
    ),
  },
  removeToken: {
    summary: 'Remove a stored card',
    description:
      'Destroys the keys of its data permanently. Payments made with it can still be captured, refunded and voided.',
    path: { id: token },
    rejections: { 404: [TokenizedCardNotFound], 409: [ResourceNotReadyError] },
    response: answer(
      'The operation; `paymentMethod` carries `dateDeleted`.',
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
