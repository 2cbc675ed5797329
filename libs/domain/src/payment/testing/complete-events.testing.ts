import type { AttemptOutcome } from '../../attempt/index.js';
import type { Complete, CompleteExamples } from '../../shared/testing/codec-contract.testing.js';
import type { HostedForm } from '../../hosted-form/index.js';
import type { PaymentEvent, PaymentRequested } from '../payment.events.js';
import type { Encrypted, PaymentMethodSnapshot } from '../../shared/event.shapes.js';

/* One example of each event with every field. The files in `fixtures/` are frozen copies. */

const at = '2026-03-01T12:00:00.000Z';
const operationId = 'trx_01JQ0000000000000000000P01';
const originalOperationId = 'trx_01JQ0000000000000000000P00';
const amountBreakdown = { amountGoodsAndServices: 800, tax: 100, cashback: 60, tip: 40 };
const personal: Encrypted = { keyId: 'key_1', iv: 'aXY=', ciphertext: 'Y2lwaGVydGV4dA==' };

const paymentMethod: Complete<PaymentMethodSnapshot> = {
  id: 'pmt_tkn_01JQ0000000000000000000000',
  type: 'Token',
  currency: 'USD',
  description: 'Visa of Ms. Maple',
  cardType: 'VISA',
  maskedCardNumber: '424242******4242',
  accountType: 'Credit',
  accountNumber: '******6789',
  personal,
};

const form: Complete<HostedForm> = {
  sessionHash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  expiresAt: '2026-03-01T12:30:00.000Z',
  returnUrl: 'https://shop.example/return',
  useJavaScriptCallback: true,
  billingInfoCaptureLevel: 'Full',
  enable3DSecure: true,
  piiFields: ['Email', 'Phone'],
};

const request = {
  at,
  operationId,
  commandId: '0195537a-0000-7000-8000-000000000001',
  referenceId: 'order 7',
  amount: 1000,
  amountBreakdown,
  invoiceNumber: 'I7',
  orderNumber: 'O7',
} as const;

const opening: Complete<PaymentRequested> = {
  ...request,
  operationId: originalOperationId,
  merchantId: 'mer_01JQ0000000000000000000000',
  currency: 'USD',
  channel: 'CardNotPresent',
  paymentMethod,
  terminalId: 'pmt_trm_01JQ0000000000000000000000',
  accountHolderId: 'acc_01JQ0000000000000000000000',
  initiator: 'Merchant',
  initiatorReason: 'Recurring',
  form,
};

const threeDs = {
  status: 'Authenticated',
  cavv: 'AAABBBCCC',
  eci: '05',
  xid: 'xid-1',
  dsTransId: 'ds-1',
  threeDReasonId: '01',
  threeDReason: 'card authentication failed',
} as const;

const outcome: Complete<AttemptOutcome> = {
  at,
  operationId,
  commandId: '0195537a-0000-7000-8000-000000000001',
  try: 1,
  source: 'Inquiry',
  reason: 'confirmed by the acquirer',
  responseCode: 1,
  hostCode: '00',
  hostText: 'APPROVAL',
  authCode: '123456',
  gatewayTransactionId: 'gateway-1',
  networkTransactionId: 'network-1',
  processor: 'sandbox',
  processorAccount: 'acct-1',
  channel: 'CardPresent',
  entryMode: 'Chip',
  terminalId: 'pmt_trm_01JQ0000000000000000000000',
  paymentMethod,
  card: {
    cardType: 'VISA',
    maskedCardNumber: '424242******4242',
    fundingType: 'Credit',
    aid: 'A0000000031010',
    tvr: '0000008000',
  },
  accountType: 'Credit',
  avsResult: 'Y',
  cvvResult: 'M',
  threeDs,
  receiptLines: ['MAPLE STREET BOOKS', 'TOTAL USD 10.00'],
};

const time = { sendBefore: '2026-03-01T12:00:02.000Z', answerBefore: '2026-03-01T12:00:12.000Z' };
const ofAttempt = { at, operationId, try: 1 } as const;

export const completeEvents: CompleteExamples<PaymentEvent> = {
  SaleRequested: opening,
  AuthorizationRequested: opening,
  UnreferencedRefundRequested: opening,
  CaptureRequested: { ...request, originalOperationId },
  RefundRequested: { ...request, originalOperationId, executedAs: 'Void' },
  VoidRequested: { ...request, originalOperationId },
  ReversalRequested: {
    at,
    operationId: 'trx_01JQ0000000000000000000PY0',
    commandId: request.commandId,
    originalOperationId,
    originalTry: 1,
    amount: 1000,
    cause: 'LateApproval',
  },
  ConsentGiven: {
    ...ofAttempt,
    version: '2026-11',
    language: 'en',
    text: 'By submitting this form, I authorize Maple Street Books to debit my bank account once.',
    personal: { ...personal, keyId: operationId },
  },
  TryRequested: {
    ...ofAttempt,
    ...time,
    commandId: request.commandId,
    executedAs: 'Capture',
    amount: 1000,
    processor: 'sandbox',
    processorAccount: 'acct-1',
    networkTransactionId: 'network-1',
  },
  ResendRequested: { ...ofAttempt, ...time },
  NotSent: { ...ofAttempt, reason: 'sendBefore has passed' },
  Interrupted: { ...ofAttempt, cause: 'Abandoned', lostLink: true },
  ThreeDsCompleted: { ...ofAttempt, threeDs, resumes: time },
  ChallengeOpened: {
    ...ofAttempt,
    challengeId: 'challenge-1',
    redirectUrl: 'https://acs.example/challenge-1',
    expiresAt: '2026-03-01T12:10:00.000Z',
    threeDsServer: 'sandbox',
    personal: { keyId: `${operationId}.1`, iv: 'iv', ciphertext: 'ciphertext' },
  },
  ChallengeEnded: { ...ofAttempt, challengeId: 'challenge-1', threeDs, resumes: time },
  Submitted: outcome,
  TryFailed: { ...outcome, resultCode: 6900, cause: 'Declined' },
  Authorized: {
    ...outcome,
    amount: 1000,
    requestedAmount: 1200,
    amountBreakdown,
    expiresAt: '2026-03-08T12:00:00.000Z',
  },
  Captured: { ...outcome, amount: 1000, amountBreakdown, originalOperationId },
  Refunded: { ...outcome, amount: 1000, originalOperationId },
  Voided: { ...outcome, amount: 1000, originalOperationId },
  Reversed: { ...outcome, amount: 1000, originalOperationId },
  Declined: { ...outcome, resultCode: 6900 },
  Cancelled: {
    ...ofAttempt,
    by: 'Terminal',
    source: 'Answer',
    resultCode: 1003,
    responseCode: 53,
    hostText: 'terminal busy',
    terminalId: 'pmt_trm_01JQ0000000000000000000000',
  },
  FormExpired: { at, operationId },
  NotExecuted: { ...ofAttempt, source: 'Operator', reason: 'the acquirer never got it' },
  LateApprovalFound: { ...outcome, amount: 1000 },
  AuthorizationExpired: { at, operationId, amount: 600 },
  Batched: {
    at,
    operationId,
    batchId: 'bat_01JQ0000000000000000000000',
    returnId: 'return-1',
    chargebackId: 'chargeback-1',
    amount: -1000,
  },
  LeftForNextBatch: {
    at,
    operationId,
    batchId: 'bat_01JQ0000000000000000000000',
    closing: 1,
    heldBy: 'trx_01JQ0000000000000000000P02',
  },
  BankReturned: {
    at,
    operationId,
    returnId: 'return-1',
    code: 'R01',
    reason: 'insufficient funds',
    amount: 1000,
  },
  ChargebackReceived: {
    at,
    operationId,
    chargebackId: 'chargeback-1',
    reason: 'goods not received',
    amount: 1000,
    reference: 'case 7',
  },
  NoticeOfChangeReceived: { at, operationId, noticeId: 'notice-1', code: 'C01', corrected: personal },
};
