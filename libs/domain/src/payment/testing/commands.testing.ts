import type { ThreeDsFacts } from '../../shared/event.shapes.js';
import type { ResponseCode } from '../../shared/codes.js';
import type { Cents } from '../../shared/money.js';
import { closeNotExecuted, interrupt, notSent, recordResponse, resend } from '../decide/attempt.decide.js';
import type { RecordResponse } from '../decide/attempt-response.decide.js';
import type { ResponseFacts, AttemptResponse } from '../../attempt/index.js';
import type { Consent } from '../../hosted-form/index.js';
import type { FollowUp, OpenPayment } from '../payment.commands.js';
import { capture, openPayment, refund, voidOperation } from '../payment.decide.js';
import { putIntoBatch } from '../decide/batch-item.decide.js';
import {
  expireAuthorization,
  recordBankReturn,
  recordChargeback,
  recordNoticeOfChange,
  reverseLateApproval,
} from '../decide/reversals-and-returns.decide.js';
import {
  cancelForm,
  completeThreeDs,
  endChallenge,
  expireForm,
  openChallenge,
  submitForm,
} from '../decide/hosted-form.decide.js';
import type { DecisionFunction } from './given-when-then.testing.js';
import { FORM, ORIGINAL, days, hours, trx } from './histories.testing.js';

/* Commands. A test names the fields that matter; the others have plausible values. */

const WINDOW = { sendBefore: hours(1), answerBefore: hours(1) };
const PLAN = {
  ...WINDOW,
  processor: 'sandbox',
  processorAccount: 'acct',
};

interface FollowUpOptions extends Partial<Omit<FollowUp, 'originalOperationId'>> {
  /** Number of the original. */
  readonly of?: number;
}

function followUp({ of = 0, ...options }: FollowUpOptions): FollowUp {
  return { at: hours(1), commandId: 'command', sendWindow: WINDOW, originalOperationId: trx(of), ...options };
}

export const toCapture =
  (options: FollowUpOptions = {}): DecisionFunction =>
  (state) =>
    capture(state, followUp(options));
export const toRefund =
  (options: FollowUpOptions = {}): DecisionFunction =>
  (state) =>
    refund(state, followUp(options));
export const toVoid =
  (options: FollowUpOptions = {}): DecisionFunction =>
  (state) =>
    voidOperation(state, followUp(options));

export function toOpen(options: Partial<OpenPayment> & { readonly byForm?: boolean } = {}): DecisionFunction {
  const { byForm, ...named }: typeof options = options;
  return (state) =>
    openPayment(state, {
      kind: 'Sale',
      at: hours(0),
      commandId: 'command',
      operationId: ORIGINAL,
      merchantId: 'mer_1',
      amount: 1000,
      currency: 'USD',
      channel: byForm ? 'CardNotPresent' : 'Token',
      paymentMethod: { id: 'pmt_tkn_1', type: 'Token', currency: 'USD' },
      ...(byForm ? { form: FORM } : { attemptPlan: PLAN }),
      ...named,
    });
}

const NEXT_WINDOW = { sendBefore: hours(2), answerBefore: hours(2) };

interface ResponseOptions extends Partial<Omit<RecordResponse, 'operationId' | 'answer'>> {
  /** Number of the operation. */
  readonly of?: number;
}

const respond =
  (answer: AttemptResponse, { of = 0, ...more }: ResponseOptions): DecisionFunction =>
  (state) =>
    recordResponse(state, {
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

const facts = (responseCode: ResponseCode, more: Partial<ResponseFacts> = {}): ResponseFacts => ({
  responseCode,
  ...more,
});

export const approve = (
  amount: Cents,
  { facts: more, ...of }: ResponseOptions & { facts?: Partial<ResponseFacts> } = {},
) => respond({ kind: 'Approved', amount, facts: facts(1, more) }, of);
export const decline = (
  responseCode: ResponseCode = 10,
  { facts: more, ...of }: ResponseOptions & { facts?: Partial<ResponseFacts> } = {},
) => respond({ kind: 'Declined', facts: facts(responseCode, more) }, of);
export const CHALLENGE = {
  challengeId: 'challenge-1',
  redirectUrl: 'https://acs.example/1',
  expiresAt: hours(2),
} as const;
export const challenge = (of: ResponseOptions = {}) =>
  respond({ kind: 'ChallengeRequired', ...CHALLENGE, facts: facts(16) }, of);
export const submit = (of: ResponseOptions = {}) => respond({ kind: 'Submitted', facts: facts(57) }, of);
export const terminalEnds = (resultCode: number, of: ResponseOptions = {}) =>
  respond({ kind: 'TerminalEnded', resultCode, facts: facts(0) }, of);
export const customerCancels = (of: ResponseOptions = {}) =>
  respond({ kind: 'CustomerCancelled', facts: facts(0) }, of);
export const processorBatchClosed = (of: ResponseOptions = {}) =>
  respond({ kind: 'ProcessorBatchClosed', facts: facts(20) }, of);

interface AttemptStepOptions {
  readonly of?: number;
  readonly try?: number;
  readonly at?: string;
}
const step = ({ of = 0, try: number = 1, at = hours(1) }: AttemptStepOptions) => ({
  at,
  operationId: trx(of),
  try: number,
});

export const toInterrupt =
  (of: AttemptStepOptions = {}): DecisionFunction =>
  (state) =>
    interrupt(state, { ...step(of), cause: 'NoAnswer', lostLink: false });
export const toRecordNotSent =
  (of: AttemptStepOptions = {}): DecisionFunction =>
  (state) =>
    notSent(state, { ...step(of), reason: 'too late' });
export const toCloseNotExecuted =
  (of: AttemptStepOptions & { source?: 'Annul' | 'Operator'; reason?: string } = {}): DecisionFunction =>
  (state) =>
    closeNotExecuted(state, {
      ...step(of),
      source: of.source ?? 'Annul',
      ...(of.reason !== undefined && { reason: of.reason }),
    });
export const toResend =
  (of: AttemptStepOptions = {}): DecisionFunction =>
  (state) =>
    resend(state, { ...step(of), sendBefore: hours(2), answerBefore: hours(2) });

interface FormCommandOptions {
  readonly at?: string;
  readonly commandId?: string;
  readonly of?: number;
  readonly consent?: Consent;
}
const formCommand = ({ at = hours(0.1), of = 0 }: FormCommandOptions) => ({ at, operationId: trx(of) });

export const customerSubmits =
  (options: FormCommandOptions = {}): DecisionFunction =>
  (state) =>
    submitForm(state, {
      ...formCommand(options),
      commandId: options.commandId ?? 'submitted',
      attemptPlan: PLAN,
      ...(options.consent && { consent: options.consent }),
    });
export const customerLeaves =
  (options: FormCommandOptions = {}): DecisionFunction =>
  (state) =>
    cancelForm(state, formCommand(options));
export const formTimesOut =
  (options: FormCommandOptions = {}): DecisionFunction =>
  (state) =>
    expireForm(state, formCommand({ at: FORM.expiresAt, ...options }));
export const challengeOpens =
  (of: AttemptStepOptions = {}): DecisionFunction =>
  (state) =>
    openChallenge(state, {
      ...step(of),
      challengeId: 'challenge-1',
      redirectUrl: 'http://acs',
      expiresAt: hours(1),
      threeDsServer: 'sandbox',
    });
export const threeDsCompletes =
  (
    threeDs: ThreeDsFacts,
    { challengeId, ...of }: AttemptStepOptions & { readonly challengeId?: string } = {},
  ): DecisionFunction =>
  (state) =>
    completeThreeDs(state, {
      ...step(of),
      threeDs,
      ...(challengeId !== undefined && { challengeId }),
      resumes: RENEWED,
    });
/** The send window after the authentication. */
export const RENEWED = { sendBefore: hours(1), answerBefore: hours(2) };
export const challengeEnds =
  (
    of: AttemptStepOptions & {
      challengeId?: string;
      resumes?: { sendBefore: string; answerBefore: string };
    } = {},
  ): DecisionFunction =>
  (state) =>
    endChallenge(state, {
      ...step(of),
      challengeId: of.challengeId ?? 'challenge-1',
      threeDs: { status: 'Authenticated' },
      ...(of.resumes && { resumes: of.resumes }),
    });

interface ServiceCommandOptions {
  readonly of?: number;
  readonly at?: string;
  readonly commandId?: string;
}
const serviceCommand = ({ of = 0, at = days(7), commandId = 'own' }: ServiceCommandOptions) => ({
  at,
  operationId: trx(of),
  commandId,
  sendWindow: WINDOW,
});

export const authorizationExpires =
  (of: ServiceCommandOptions = {}): DecisionFunction =>
  (state) =>
    expireAuthorization(state, serviceCommand(of));
export const toReverseLateApproval =
  (of: ServiceCommandOptions = {}): DecisionFunction =>
  (state) =>
    reverseLateApproval(state, serviceCommand(of));
export const batchTakes =
  (
    number = 0,
    more: { returnId?: string; chargebackId?: string; batchId?: string; closing?: number } = {},
  ): DecisionFunction =>
  (state) =>
    putIntoBatch(state, { at: hours(10), operationId: trx(number), batchId: 'bat_1', closing: 1, ...more });
export const bankReturns =
  (amount: Cents, { of = 0, returnId = 'return-1' } = {}): DecisionFunction =>
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
  (amount: Cents, { of = 0, chargebackId = 'chargeback-1' } = {}): DecisionFunction =>
  (state) =>
    recordChargeback(state, {
      at: days(4),
      operationId: trx(of),
      chargebackId,
      reason: 'goods not received',
      amount,
    });
export const noticeOfChange =
  (noticeId = 'notice-1', of = 0): DecisionFunction =>
  (state) =>
    recordNoticeOfChange(state, {
      at: days(4),
      operationId: trx(of),
      noticeId,
      code: 'C01',
      corrected: { keyId: 'key', iv: 'iv', ciphertext: 'text' },
    });
