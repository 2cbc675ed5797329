import {
  cancelForm,
  capture,
  expireAuthorization,
  expireForm,
  interrupt,
  openPayment,
  recordBankReturn,
  recordResponse,
  submitForm,
  type AttemptResponse,
  type PaymentDecision,
  type PaymentState,
} from '@tillstream/domain';
import { operationOf, rootOf } from '../testing/index.js';

/* Steps of one payment, for tests of its webhook events. */

export type Step = (state: PaymentState) => PaymentDecision;

const AT = '2026-03-01T12:00:00.000Z';
const LATER = '2026-03-10T12:00:00.000Z';
const ID = operationOf(rootOf(1));
export const first = { at: AT, operationId: ID, try: 1 };
const plan = { sendBefore: AT, answerBefore: AT, processor: 'sandbox', processorAccount: 'account' };

function command(number: number) {
  return { at: AT, commandId: `command-${number}` };
}

export function opened(
  kind: 'Sale' | 'Auth' | 'UnreferencedRefund',
  channel: 'Token' | 'Ach' = 'Token',
): Step {
  const paymentMethod = { id: 'pmt_tkn_1', type: 'Token', currency: 'USD' } as const;
  const request = {
    ...command(0),
    operationId: ID,
    merchantId: 'mer_A',
    amount: 100,
    currency: 'USD',
  } as const;
  return (state) => openPayment(state, { ...request, kind, channel, paymentMethod, attemptPlan: plan });
}

export function sale(channel: 'Token' | 'Ach' = 'Token'): Step {
  return opened('Sale', channel);
}

export function form(state: PaymentState): PaymentDecision {
  const paymentMethod = { id: 'pmt_frm_1', type: 'Virtual', currency: 'USD' } as const;
  const request = {
    ...command(0),
    operationId: ID,
    merchantId: 'mer_A',
    amount: 100,
    currency: 'USD',
  } as const;
  const page = {
    sessionHash: 'a'.repeat(64),
    expiresAt: LATER,
    useJavaScriptCallback: false,
    billingInfoCaptureLevel: 'Full',
    enable3DSecure: false,
    piiFields: [],
  } as const;
  return openPayment(state, {
    ...request,
    kind: 'Sale',
    channel: 'CardNotPresent',
    paymentMethod,
    form: page,
  });
}

export function submit(number: number): Step {
  return (state) => submitForm(state, { ...command(number), operationId: ID, attemptPlan: plan });
}

export function leave(state: PaymentState): PaymentDecision {
  return cancelForm(state, { at: AT, operationId: ID });
}

export function expire(state: PaymentState): PaymentDecision {
  return expireForm(state, { at: LATER, operationId: ID });
}

export function expireAuth(state: PaymentState): PaymentDecision {
  return expireAuthorization(state, { at: LATER, commandId: 'expire', operationId: ID, sendWindow: plan });
}

export function interrupted(state: PaymentState): PaymentDecision {
  return interrupt(state, { ...first, cause: 'NoAnswer', lostLink: false });
}

export function returned(state: PaymentState): PaymentDecision {
  const notice = { returnId: 'R1', code: 'R01', reason: 'none', amount: 100 };
  return recordBankReturn(state, { at: AT, operationId: ID, ...notice });
}

export function followUp(decide: typeof capture): Step {
  return (state) => decide(state, { ...command(50), at: LATER, originalOperationId: ID, sendWindow: plan });
}

/** `of`: the number of the operation in its stream. */
export function says(answer: AttemptResponse, number = 1, of = 0): Step {
  return (state) => {
    const id = state.status === 'None' ? ID : (state.operations[of === 0 ? 0 : 1]?.id ?? ID);
    return recordResponse(state, {
      at: AT,
      operationId: id,
      try: number,
      source: 'Answer',
      answer,
      receiptLines: [],
      expiresAt: '2026-03-08T12:00:00.000Z',
      nextWindow: plan,
    });
  };
}
