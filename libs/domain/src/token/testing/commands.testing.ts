import type { ResponseCode } from '../../shared/codes.js';
import type { AttemptEventData, ResponseFacts, AttemptResponse } from '../../attempt/index.js';
import type {
  RecordVerification,
  RemoveToken,
  RequestToken,
  TokenDecision,
  UpdateToken,
} from '../token.commands.js';
import type { OperationEventData, ThreeDsFacts } from '../../shared/event.shapes.js';
import type { CompleteThreeDs } from '../../three-ds/index.js';
import type { SubmitForm } from '../../hosted-form/index.js';
import {
  cancelTokenForm,
  expireTokenForm,
  recordKeysDestroyed,
  removeToken,
  requestToken,
  submitTokenForm,
  updateToken,
} from '../token.decide.js';
import type { TokenState } from '../token.state.js';
import {
  completeVerificationThreeDs,
  interruptVerification,
  openVerificationChallenge,
  recordVerification,
  closeVerificationNotExecuted,
  recordVerificationNotSent,
} from '../card-verification.decide.js';
import { CARD, FORM, PLAN, ROOT, TERMINAL, minutes, sealed, trx } from './histories.testing.js';

/* Commands. A test names the fields that matter; the others have plausible values. */

export type DecisionFunction = (state: TokenState) => TokenDecision;

export const toRequest =
  ({ attemptPlan = PLAN, ...more }: Partial<RequestToken> = {}): DecisionFunction =>
  (state) =>
    requestToken(state, {
      at: minutes(0),
      commandId: 'command',
      root: ROOT,
      merchantId: 'mer_1',
      channel: 'CardPresent',
      currency: 'USD',
      paymentMethod: TERMINAL,
      ...more,
      ...(!more.form && { attemptPlan }),
    });
export const toUpdate =
  (more: Partial<UpdateToken> = {}): DecisionFunction =>
  (state) =>
    updateToken(state, { at: minutes(9), commandId: 'command', changesExpiry: false, ...more });
export const toRemove =
  (more: Partial<RemoveToken> = {}): DecisionFunction =>
  (state) =>
    removeToken(state, { at: minutes(9), commandId: 'command', ...more });
export const keysAreDestroyed =
  (at = minutes(10)): DecisionFunction =>
  (state) =>
    recordKeysDestroyed(state, { at });

export const customerSubmits =
  (more: Partial<SubmitForm> = {}): DecisionFunction =>
  (state) =>
    submitTokenForm(state, {
      at: minutes(5),
      operationId: trx(0),
      commandId: 'submission',
      attemptPlan: PLAN,
      personal: sealed('first'),
      ...more,
    });
const atForm = (at: string): OperationEventData => ({ at, operationId: trx(0) });
export const customerLeaves =
  (at = minutes(6)): DecisionFunction =>
  (state) =>
    cancelTokenForm(state, atForm(at));
export const formTimesOut =
  (at = FORM.expiresAt): DecisionFunction =>
  (state) =>
    expireTokenForm(state, atForm(at));

const step = (of: Partial<AttemptEventData>): AttemptEventData => ({
  at: minutes(9),
  operationId: trx(0),
  try: 1,
  ...of,
});

type ResponseOptions = Partial<Omit<RecordVerification, 'answer'>>;
export const respond =
  (answer: AttemptResponse, more: ResponseOptions = {}): DecisionFunction =>
  (state) =>
    recordVerification(state, { ...step({}), source: 'Answer', answer, receiptLines: [], ...more });

const facts = (responseCode: ResponseCode, more: Partial<ResponseFacts> = {}): ResponseFacts => ({
  responseCode,
  ...more,
});
export const approve = (more: ResponseOptions = {}, moreFacts: Partial<ResponseFacts> = { card: CARD }) =>
  respond(
    { kind: 'Approved', amount: 0, facts: facts(1, moreFacts) },
    { personal: sealed('first'), ...more },
  );
export const decline = (responseCode: ResponseCode = 10, more: ResponseOptions = {}) =>
  respond({ kind: 'Declined', facts: facts(responseCode, { card: CARD }) }, more);
export const submit = () => respond({ kind: 'Submitted', facts: facts(57) });
export const terminalEnds = (resultCode: number, more: Partial<ResponseFacts> = {}) =>
  respond({ kind: 'TerminalEnded', resultCode, facts: facts(0, more) });
export const customerCancels = () => respond({ kind: 'CustomerCancelled', facts: facts(0) });

export const toInterrupt =
  (of: Partial<AttemptEventData> = {}): DecisionFunction =>
  (state) =>
    interruptVerification(state, { ...step(of), cause: 'NoAnswer', lostLink: false });
export const toRecordNotSent =
  (of: Partial<AttemptEventData> = {}): DecisionFunction =>
  (state) =>
    recordVerificationNotSent(state, { ...step(of), reason: 'too late' });
export const threeDsCompletes =
  (threeDs: ThreeDsFacts, more: Partial<CompleteThreeDs> = {}): DecisionFunction =>
  (state) =>
    completeVerificationThreeDs(state, { ...step({}), threeDs, resumes: RENEWED, ...more });
/** The send window after the authentication. */
export const RENEWED = { sendBefore: minutes(9), answerBefore: minutes(10) };
export const challengeOpens =
  (of: Partial<AttemptEventData> = {}): DecisionFunction =>
  (state) =>
    openVerificationChallenge(state, {
      ...step(of),
      challengeId: 'challenge-1',
      redirectUrl: '/acs',
      expiresAt: minutes(19),
      threeDsServer: 'sandbox',
      personal: sealed('challenged'),
    });
export const toCloseNotExecuted =
  (of: Partial<AttemptEventData> & { readonly reason?: string } = {}): DecisionFunction =>
  (state) => {
    const { reason, ...rest } = of;
    const source = reason === undefined ? 'Annul' : 'Operator';
    return closeVerificationNotExecuted(state, {
      ...step(rest),
      source,
      ...(reason !== undefined && { reason }),
    });
  };
