import type { ResponseCode } from '../../shared/codes.js';
import type { Cents } from '../../shared/money.js';
import { recordAnswer } from '../payment.attempts.js';
import type { AnswerFacts, RecordAnswer, TryAnswer } from '../payment.answer.facts.js';
import type { FollowUp, OpenPayment } from '../payment.commands.js';
import { capture, openPayment, refund, voidOperation } from '../payment.decide.js';
import { putIntoBatch } from '../payment.batch.js';
import {
  expireAuthorization,
  recordBankReturn,
  recordChargeback,
  recordNoticeOfChange,
  reverseLateApproval,
} from '../payment.facts.js';
import { cancelForm, endChallenge, expireForm, openChallenge, submitForm } from '../payment.form.js';
import { closeNotExecuted, interrupt, notSent, resend } from '../payment.attempts.js';
import type { Deciding } from './given.testing.js';
import { FORM, ORIGINAL, days, hours, trx } from './histories.testing.js';

/* What is asked or told now. Only what a test names matters; the rest is plausible. */

const WINDOW = { sendBefore: hours(1), answerBefore: hours(1) };
export const PLAN = {
  ...WINDOW,
  processor: 'sandbox',
  processorAccount: 'acct',
};

interface Asking extends Partial<Omit<FollowUp, 'originalOperationId'>> {
  /** Number of the original. */
  readonly of?: number;
}

function followUp({ of = 0, ...asked }: Asking): FollowUp {
  return { at: hours(1), commandId: 'asked', sendWindow: WINDOW, originalOperationId: trx(of), ...asked };
}

export const toCapture =
  (asked: Asking = {}): Deciding =>
  (state) =>
    capture(state, followUp(asked));
export const toRefund =
  (asked: Asking = {}): Deciding =>
  (state) =>
    refund(state, followUp(asked));
export const toVoid =
  (asked: Asking = {}): Deciding =>
  (state) =>
    voidOperation(state, followUp(asked));

export function toOpen(asked: Partial<OpenPayment> & { readonly byForm?: boolean } = {}): Deciding {
  const { byForm, ...named }: typeof asked = asked;
  return (state) =>
    openPayment(state, {
      kind: 'Sale',
      at: hours(0),
      commandId: 'asked',
      operationId: ORIGINAL,
      merchantId: 'mer_1',
      amount: 1000,
      currency: 'USD',
      channel: byForm ? 'CardNotPresent' : 'Token',
      paymentMethod: { id: 'pmt_tkn_1', type: 'Token', currency: 'USD' },
      ...(byForm ? { form: FORM } : { tryPlan: PLAN }),
      ...named,
    });
}

const NEXT_WINDOW = { sendBefore: hours(2), answerBefore: hours(2) };

interface Told extends Partial<Omit<RecordAnswer, 'operationId' | 'answer'>> {
  /** Number of the operation. */
  readonly of?: number;
}

const told =
  (answer: TryAnswer, { of = 0, ...more }: Told): Deciding =>
  (state) =>
    recordAnswer(state, {
      at: hours(1),
      operationId: trx(of),
      try: 1,
      source: 'Answer',
      answer,
      receiptLines: [],
      expiresAt: days(7),
      nextWindow: NEXT_WINDOW,
      ...more,
    });

const facts = (responseCode: ResponseCode, more: Partial<AnswerFacts> = {}): AnswerFacts => ({
  responseCode,
  ...more,
});

export const approve = (
  amount: Cents,
  { facts: more, ...of }: Told & { facts?: Partial<AnswerFacts> } = {},
) => told({ kind: 'Approved', amount, facts: facts(1, more) }, of);
export const decline = (
  responseCode: ResponseCode = 10,
  { facts: more, ...of }: Told & { facts?: Partial<AnswerFacts> } = {},
) => told({ kind: 'Declined', facts: facts(responseCode, more) }, of);
export const CHALLENGE = {
  challengeId: 'challenge-1',
  redirectUrl: 'https://acs.example/1',
  expiresAt: hours(2),
} as const;
export const challenge = (of: Told = {}) =>
  told({ kind: 'ChallengeRequired', ...CHALLENGE, facts: facts(16) }, of);
export const submit = (of: Told = {}) => told({ kind: 'Submitted', facts: facts(57) }, of);
export const terminalEnds = (resultCode: number, of: Told = {}) =>
  told({ kind: 'TerminalEnded', resultCode, facts: facts(0) }, of);
export const customerCancels = (of: Told = {}) => told({ kind: 'CustomerCancelled', facts: facts(0) }, of);
export const processorBatchClosed = (of: Told = {}) =>
  told({ kind: 'ProcessorBatchClosed', facts: facts(20) }, of);

interface Step {
  readonly of?: number;
  readonly try?: number;
  readonly at?: string;
}
const step = ({ of = 0, try: number = 1, at = hours(1) }: Step) => ({
  at,
  operationId: trx(of),
  try: number,
});

export const toInterrupt =
  (of: Step = {}): Deciding =>
  (state) =>
    interrupt(state, { ...step(of), cause: 'NoAnswer', lostLink: false });
export const toldNotSent =
  (of: Step = {}): Deciding =>
  (state) =>
    notSent(state, { ...step(of), reason: 'too late' });
export const toldNotExecuted =
  (of: Step & { source?: 'Annul' | 'Operator'; reason?: string } = {}): Deciding =>
  (state) =>
    closeNotExecuted(state, {
      ...step(of),
      source: of.source ?? 'Annul',
      ...(of.reason !== undefined && { reason: of.reason }),
    });
export const toResend =
  (of: Step = {}): Deciding =>
  (state) =>
    resend(state, { ...step(of), sendBefore: hours(2), answerBefore: hours(2) });

interface Customer {
  readonly at?: string;
  readonly commandId?: string;
  readonly of?: number;
}
const customer = ({ at = hours(0.1), of = 0 }: Customer) => ({ at, operationId: trx(of) });

export const customerSubmits =
  (asked: Customer = {}): Deciding =>
  (state) =>
    submitForm(state, { ...customer(asked), commandId: asked.commandId ?? 'submitted', tryPlan: PLAN });
export const customerLeaves =
  (asked: Customer = {}): Deciding =>
  (state) =>
    cancelForm(state, customer(asked));
export const formTimesOut =
  (asked: Customer = {}): Deciding =>
  (state) =>
    expireForm(state, customer({ at: FORM.expiresAt, ...asked }));
export const challengeOpens =
  (of: Step = {}): Deciding =>
  (state) =>
    openChallenge(state, {
      ...step(of),
      challengeId: 'challenge-1',
      redirectUrl: 'http://acs',
      expiresAt: hours(1),
    });
export const challengeEnds =
  (
    of: Step & { challengeId?: string; resumes?: { sendBefore: string; answerBefore: string } } = {},
  ): Deciding =>
  (state) =>
    endChallenge(state, {
      ...step(of),
      challengeId: of.challengeId ?? 'challenge-1',
      threeDs: { status: 'Authenticated' },
      ...(of.resumes && { resumes: of.resumes }),
    });

interface Own {
  readonly of?: number;
  readonly at?: string;
  readonly commandId?: string;
}
const own = ({ of = 0, at = days(7), commandId = 'own' }: Own) => ({
  at,
  operationId: trx(of),
  commandId,
  sendWindow: WINDOW,
});

export const authorizationExpires =
  (of: Own = {}): Deciding =>
  (state) =>
    expireAuthorization(state, own(of));
export const toReverseLateApproval =
  (of: Own = {}): Deciding =>
  (state) =>
    reverseLateApproval(state, own(of));
export const batchTakes =
  (number = 0, more: { returnId?: string; batchId?: string; closing?: number } = {}): Deciding =>
  (state) =>
    putIntoBatch(state, { at: hours(10), operationId: trx(number), batchId: 'bat_1', closing: 1, ...more });
export const bankReturns =
  (amount: Cents, { of = 0, returnId = 'return-1' } = {}): Deciding =>
  (state) =>
    recordBankReturn(state, {
      at: days(4),
      operationId: trx(of),
      returnId,
      code: 'R01',
      reason: 'no funds',
      amount,
    });
export const chargesBack =
  (amount: Cents, { of = 0, chargebackId = 'chargeback-1' } = {}): Deciding =>
  (state) =>
    recordChargeback(state, {
      at: days(4),
      operationId: trx(of),
      chargebackId,
      reason: 'goods not received',
      amount,
    });
export const noticeOfChange =
  (noticeId = 'notice-1', of = 0): Deciding =>
  (state) =>
    recordNoticeOfChange(state, {
      at: days(4),
      operationId: trx(of),
      noticeId,
      code: 'C01',
      corrected: { keyId: 'key', iv: 'iv', ciphertext: 'text' },
    });
