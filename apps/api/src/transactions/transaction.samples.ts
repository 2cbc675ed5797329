import { resultText, type PaymentMethodDetails, type TransactionResult } from '@tillstream/contracts';
import { SAMPLE, SAMPLE_TIME } from '../openapi/samples.js';

/* Examples of responses. */

export const SAMPLE_TERMINAL: PaymentMethodDetails = {
  id: SAMPLE.terminal,
  type: 'Physical',
  currency: 'USD',
  description: 'Front counter',
};

const SAMPLE_FORM: PaymentMethodDetails = {
  id: SAMPLE.form,
  type: 'Virtual',
  currency: 'USD',
  description: 'Card form',
};

const CARD = {
  cardType: 'VISA',
  maskedCardNumber: '************4242',
  cardExpDate: '1234',
  accountType: 'Credit',
} as const;

const CARD_AT_TERMINAL: PaymentMethodDetails = { ...SAMPLE_TERMINAL, ...CARD };

export const SAMPLE_TOKEN: PaymentMethodDetails = {
  id: SAMPLE.token,
  type: 'Token',
  currency: 'USD',
  description: 'Visa of Ann',
  ...CARD,
};

export function sampleTransaction(fields: Partial<TransactionResult> = {}): TransactionResult {
  const { paymentMethod = CARD_AT_TERMINAL, amount = 1250, type = 'Sale' } = fields;
  const movesIn = type === 'Sale' || type === 'Auth' || type === 'Capture';
  return {
    id: SAMPLE.sale,
    referenceId: 'order-1001',
    type,
    status: 'Completed',
    resultCode: 0,
    resultText: resultText(0),
    amount,
    currency: 'USD',
    transactionResponses: [
      {
        responseCode: 1,
        amountApproved: amount,
        ...(movesIn && {
          approvedAmountBreakdown: { amountGoodsAndServices: amount, tax: 0, cashback: 0, tip: 0 },
        }),
        authCode: '004242',
        hostResponseText: 'APPROVED',
        paymentMethod,
        cardType: 'VISA',
        accountType: 'Credit',
        receipt: { lines: [] },
      },
    ],
    paymentMethod,
    createdAt: SAMPLE_TIME,
    updatedAt: SAMPLE_TIME,
    ...fields,
  };
}

/** Of an operation whose form waits for the customer. */
export const WAITING_FORM = {
  status: 'Pending',
  resultCode: 1010,
  resultText: resultText(1010),
  transactionResponses: [],
  paymentMethod: SAMPLE_FORM,
  form: {
    url: `http://localhost:3000/pay/${SAMPLE.session}`,
    sessionId: SAMPLE.session,
    expiresAt: '2026-08-03T14:35:09.120Z',
  },
} satisfies Partial<TransactionResult>;

/** Of an operation on a stored card: no amount. */
export function sampleTokenOperation(fields: Partial<TransactionResult>): TransactionResult {
  const { amount: _amount, ...result } = sampleTransaction({
    id: SAMPLE.tokenCreation,
    paymentMethod: SAMPLE_TOKEN,
    accountHolderId: SAMPLE.holder,
    ...fields,
  });
  return result;
}
