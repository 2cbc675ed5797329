import type { AttemptOutcome, ProcessorAccount } from '../../attempt/index.js';
import type { Channel, ResultCode } from '../../shared/codes.js';
import { formatOperationId, type OperationId } from '../../shared/ids.js';
import { approvedBreakdown, type AmountBreakdown, type Cents } from '../../shared/money.js';
import type { Consent, HostedForm } from '../../hosted-form/index.js';
import type { PaymentEvent, PaymentRequested, ProcessorOperation } from '../payment.events.js';

/* Past events of a payment. Operations are named by their number. */

const ROOT = '01JQ0000000000000000000';
export const trx = (number: number): OperationId =>
  formatOperationId({ category: 'payment', root: ROOT, number });
/** The operation that opened the payment. */
export const ORIGINAL = trx(0);

export const hours = (count: number): string =>
  new Date(Date.UTC(2026, 2, 1, 12) + count * 3_600_000).toISOString();
export const days = (count: number): string => hours(24 * count);
export const AUTHORIZATION_EXPIRES = days(7);
export const FORM_EXPIRES = hours(0.5);

const method = { id: 'pmt_tkn_1', type: 'Token', currency: 'USD', cardType: 'VISA' } as const;
const plan = { sendBefore: hours(0), answerBefore: hours(0), processor: 'sandbox', processorAccount: 'acct' };

export const FORM: HostedForm = {
  sessionHash: 'a'.repeat(64),
  expiresAt: FORM_EXPIRES,
  useJavaScriptCallback: false,
  billingInfoCaptureLevel: 'Full',
  enable3DSecure: true,
  piiFields: [],
};

export const CONSENT: Consent = {
  version: '2026-11',
  language: 'en',
  text: 'I authorize one debit.',
  personal: { keyId: ORIGINAL, iv: 'aXY=', ciphertext: 'sealed' },
};

interface PaymentOptions {
  readonly amount: Cents;
  readonly kind?: 'Sale' | 'Auth' | 'UnreferencedRefund';
  readonly channel?: Channel;
  readonly form?: boolean;
  /** The account of the attempt; absent: the sandbox. */
  readonly at?: ProcessorAccount;
  readonly amountBreakdown?: Partial<AmountBreakdown>;
}

export function requested({
  amount,
  kind = 'Sale',
  channel = 'Token',
  form = false,
  at,
  amountBreakdown,
}: PaymentOptions): PaymentEvent[] {
  const data: PaymentRequested = {
    at: hours(0),
    operationId: ORIGINAL,
    commandId: 'command-0',
    referenceId: 'ref-0',
    amount,
    merchantId: 'mer_1',
    currency: 'USD',
    channel: form && channel === 'Token' ? 'CardNotPresent' : channel,
    paymentMethod: method,
    ...(form && { form: FORM }),
    ...(amountBreakdown && { amountBreakdown }),
  };
  const executedAs = kind === 'Auth' ? 'Authorize' : kind;
  const first: PaymentEvent = {
    type:
      kind === 'Sale'
        ? 'SaleRequested'
        : kind === 'Auth'
          ? 'AuthorizationRequested'
          : 'UnreferencedRefundRequested',
    data,
  };
  if (form) return [first];
  const { type, data: attempt } = tryRequested(0, amount, executedAs);
  return [first, { type, data: { ...attempt, ...at } }];
}

export function tryRequested(
  number: number,
  amount: Cents,
  executedAs: ProcessorOperation,
  tryNumber = 1,
  commandId = `command-${number}`,
): Extract<PaymentEvent, { type: 'TryRequested' }> {
  const data = { at: hours(0), operationId: trx(number), commandId, try: tryNumber, executedAs, amount };
  return { type: 'TryRequested', data: { ...data, ...plan } };
}

export function outcome(number: number, more: Partial<AttemptOutcome> = {}): AttemptOutcome {
  return {
    at: hours(0.1),
    operationId: trx(number),
    commandId: `command-${number}`,
    try: 1,
    source: 'Answer',
    responseCode: 1,
    gatewayTransactionId: `gateway-${number}`,
    channel: 'Token',
    paymentMethod: method,
    receiptLines: [],
    ...more,
  };
}

/** Approved and captured; a partial approval if `approved` is less. */
export function sale(
  amount: Cents,
  approved = amount,
  opening: Partial<PaymentOptions> = {},
  answer: Partial<AttemptOutcome> = {},
): PaymentEvent[] {
  const fields = outcome(0, answer);
  const amountBreakdown = approvedBreakdown(opening.amountBreakdown, amount, approved);
  return [
    ...requested({ amount, ...opening }),
    { type: 'Authorized', data: { ...fields, amount: approved, requestedAmount: amount, amountBreakdown } },
    {
      type: 'Captured',
      data: { ...fields, amount: approved, amountBreakdown, originalOperationId: ORIGINAL },
    },
  ];
}

export function auth(
  amount: Cents,
  approved = amount,
  opening: Partial<PaymentOptions> = {},
): PaymentEvent[] {
  const amountBreakdown = approvedBreakdown(opening.amountBreakdown, amount, approved);
  const data = { ...outcome(0), amount: approved, requestedAmount: amount, amountBreakdown };
  return [
    ...requested({ amount, ...opening, kind: 'Auth' }),
    { type: 'Authorized', data: { ...data, expiresAt: AUTHORIZATION_EXPIRES } },
  ];
}

interface FollowUpOptions {
  /** Number of the original. */
  readonly of?: number;
  readonly executedAs?: 'Void' | 'Refund';
}

function followUp(number: number, amount: Cents, of: number) {
  const ids = { operationId: trx(number), commandId: `command-${number}`, originalOperationId: trx(of) };
  return { at: hours(0.5), referenceId: `ref-${number}`, amount, ...ids };
}

export function captureRequested(
  number: number,
  amount: Cents,
  { of = 0 }: FollowUpOptions = {},
): PaymentEvent[] {
  return [
    { type: 'CaptureRequested', data: followUp(number, amount, of) },
    tryRequested(number, amount, 'Capture'),
  ];
}

export function refundRequested(
  number: number,
  amount: Cents,
  { of = 0, executedAs = 'Void' }: FollowUpOptions = {},
): PaymentEvent[] {
  return [
    { type: 'RefundRequested', data: { ...followUp(number, amount, of), executedAs } },
    tryRequested(number, amount, executedAs),
  ];
}

export function voidRequested(
  number: number,
  amount: Cents,
  { of = 0 }: FollowUpOptions = {},
): PaymentEvent[] {
  return [
    { type: 'VoidRequested', data: followUp(number, amount, of) },
    tryRequested(number, amount, 'Void'),
  ];
}

export function captured(number: number, amount: Cents, { of = 0 }: FollowUpOptions = {}): PaymentEvent[] {
  const amountBreakdown = approvedBreakdown(undefined, amount, amount);
  const data = { ...outcome(number), amount, amountBreakdown, originalOperationId: trx(of) };
  return [...captureRequested(number, amount, { of }), { type: 'Captured', data }];
}

export function refunded(
  number: number,
  amount: Cents,
  { of = 0, executedAs = 'Void' }: FollowUpOptions = {},
): PaymentEvent[] {
  const data = { ...outcome(number), amount, originalOperationId: trx(of) };
  return [
    ...refundRequested(number, amount, { of, executedAs }),
    executedAs === 'Void' ? { type: 'Voided', data } : { type: 'Refunded', data },
  ];
}

export function voided(number: number, amount: Cents, { of = 0 }: FollowUpOptions = {}): PaymentEvent[] {
  const data = { ...outcome(number), amount, originalOperationId: trx(of) };
  return [...voidRequested(number, amount, { of }), { type: 'Voided', data }];
}

export function reversalRequested(
  number: number,
  amount: Cents,
  { of = 0, cause = 'AuthorizationExpired' as 'AuthorizationExpired' | 'LateApproval', originalTry = 1 } = {},
): PaymentEvent[] {
  const ids = { operationId: trx(number), commandId: `command-${number}`, originalOperationId: trx(of) };
  return [
    { type: 'ReversalRequested', data: { at: days(7), ...ids, originalTry, amount, cause } },
    tryRequested(number, amount, 'Reverse'),
  ];
}

export function reversed(number: number, amount: Cents, of = 0): PaymentEvent {
  return { type: 'Reversed', data: { ...outcome(number), amount, originalOperationId: trx(of) } };
}

export function expired(amount: Cents, number = 0): PaymentEvent {
  return { type: 'AuthorizationExpired', data: { at: days(7), operationId: trx(number), amount } };
}

export function declined(number: number, more: Partial<AttemptOutcome> = {}): PaymentEvent {
  return { type: 'Declined', data: { ...outcome(number, { responseCode: 10, ...more }), resultCode: 0 } };
}

export function tryFailed(number: number, tryNumber: number, resultCode: ResultCode = 6900): PaymentEvent {
  const fields = outcome(number, { responseCode: 10, try: tryNumber });
  return { type: 'TryFailed', data: { ...fields, resultCode, cause: 'Declined' } };
}

export function interrupted(number: number, tryNumber = 1): PaymentEvent {
  const data = { at: hours(0.2), operationId: trx(number), try: tryNumber };
  return { type: 'Interrupted', data: { ...data, cause: 'NoAnswer', lostLink: false } };
}

export function notSent(number: number, tryNumber = 1): PaymentEvent {
  return {
    type: 'NotSent',
    data: { at: hours(0.2), operationId: trx(number), try: tryNumber, reason: 'late' },
  };
}

export function notExecuted(number: number, tryNumber = 1): PaymentEvent {
  return {
    type: 'NotExecuted',
    data: { at: hours(0.3), operationId: trx(number), try: tryNumber, source: 'Annul' },
  };
}

export function submitted(number: number): PaymentEvent {
  return { type: 'Submitted', data: outcome(number, { responseCode: 57 }) };
}

export function lateApproval(number: number, amount: Cents, tryNumber = 1): PaymentEvent {
  const fields = outcome(number, { source: 'Inquiry', try: tryNumber });
  return { type: 'LateApprovalFound', data: { ...fields, amount } };
}

export function batched(number: number, amount: Cents): PaymentEvent {
  return { type: 'Batched', data: { at: hours(10), operationId: trx(number), batchId: 'bat_1', amount } };
}

export function bankReturned(amount: Cents, returnId = 'return-1', number = 0): PaymentEvent {
  const data = { at: days(4), operationId: trx(number), returnId, code: 'R01', reason: 'no funds', amount };
  return { type: 'BankReturned', data };
}
