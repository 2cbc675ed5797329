import {
  foldPayment,
  type OperationId,
  type Payment,
  type PaymentEvent,
  type PaymentMethodSnapshot,
  type AttemptOutcome,
} from '@tillstream/domain';
import { transactionResult, type PresentedResult } from './transaction.result.js';

/* A sale on a terminal and its possible outcomes. */

export const at = '2026-08-03T12:00:00.000Z';
export const later = '2026-08-03T12:00:05.000Z';
export const sale: OperationId = 'trx_01J0000000000000000000AP00';
export const second: OperationId = 'trx_01J0000000000000000000AP01';
export const terminal: PaymentMethodSnapshot = { id: 'pmt_trm_1', type: 'Physical', currency: 'USD' };
export const charged: PaymentMethodSnapshot = {
  ...terminal,
  cardType: 'VISA',
  maskedCardNumber: '************4242',
};

interface SaleOptions {
  readonly channel?: Payment['channel'];
  readonly paymentMethod?: PaymentMethodSnapshot;
  readonly byForm?: boolean;
}

const form = {
  sessionHash: 'h',
  expiresAt: later,
  useJavaScriptCallback: false,
  billingInfoCaptureLevel: 'Full',
  enable3DSecure: false,
  piiFields: [],
} as const;

export const requested = ({
  channel = 'CardPresent',
  paymentMethod = terminal,
  byForm = false,
}: SaleOptions = {}): PaymentEvent => ({
  type: 'SaleRequested',
  data: {
    at,
    operationId: sale,
    commandId: 'c1',
    referenceId: 'order-1',
    amount: 1_000,
    merchantId: 'mer_1',
    currency: 'USD',
    channel,
    paymentMethod,
    ...(byForm && { form }),
  },
});
export const attemptRequested = (number = 1, operationId = sale): PaymentEvent => ({
  type: 'TryRequested',
  data: {
    at,
    operationId,
    commandId: `c${number}`,
    try: number,
    executedAs: 'Sale',
    amount: 1_000,
    sendBefore: later,
    answerBefore: later,
    processor: 'sandbox',
    processorAccount: 'a',
  },
});
export const outcome = (more: Partial<AttemptOutcome> = {}): AttemptOutcome => ({
  at: later,
  operationId: sale,
  commandId: 'c1',
  try: 1,
  source: 'Answer',
  responseCode: 1,
  channel: 'CardPresent',
  paymentMethod: charged,
  receiptLines: ['APPROVED'],
  ...more,
});
export const goods = { amountGoodsAndServices: 1_000, tax: 0, cashback: 0, tip: 0 };
export const approved: PaymentEvent[] = [
  {
    type: 'Authorized',
    data: { ...outcome(), amount: 1_000, requestedAmount: 1_000, amountBreakdown: goods },
  },
  {
    type: 'Captured',
    data: {
      ...outcome({ receiptLines: [] }),
      amount: 1_000,
      amountBreakdown: goods,
      originalOperationId: sale,
    },
  },
];
export const ofSale = { at: later, operationId: sale };

export const presentedResult = (events: PaymentEvent[], id = sale): PresentedResult =>
  transactionResult(foldPayment(events) as Payment, id);
export const statusLine = ({ status, resultCode, transactionResponses }: PresentedResult) =>
  [status, resultCode, ...transactionResponses.map(({ responseCode }) => responseCode)].join(' ');

export const formFailed = (
  number: number,
  resultCode: number,
  responseCode: AttemptOutcome['responseCode'],
): PaymentEvent => ({
  type: 'TryFailed',
  data: {
    ...outcome({ try: number, responseCode, channel: 'CardNotPresent' }),
    resultCode,
    cause: 'Declined',
  },
});
export const byForm = requested({ channel: 'CardNotPresent', byForm: true });
export const bank: PaymentMethodSnapshot = { id: 'pmt_ach_1', type: 'VirtualAch', currency: 'USD' };
export const submitted = (paymentMethod: PaymentMethodSnapshot): PaymentEvent => ({
  type: 'Submitted',
  data: outcome({
    responseCode: 57,
    channel: 'Ach',
    paymentMethod,
    accountType: 'Checking',
    receiptLines: [],
  }),
});
