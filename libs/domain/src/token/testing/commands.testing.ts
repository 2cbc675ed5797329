import type { ResponseCode } from '../../shared/codes.js';
import type { AnswerFacts, TryAnswer } from '../../payment/payment.answer.facts.js';
import type {
  OfVerification,
  RecordVerification,
  RemoveToken,
  RequestToken,
  TokenDecision,
  UpdateToken,
} from '../token.commands.js';
import { recordKeysDestroyed, removeToken, requestToken, updateToken } from '../token.decide.js';
import type { TokenState } from '../token.state.js';
import {
  interruptVerification,
  recordVerification,
  verificationNotExecuted,
  verificationNotSent,
} from '../token.verification.js';
import { CARD, PLAN, ROOT, TERMINAL, minutes, sealed, trx } from './histories.testing.js';

/* What is asked or told now. Only what a test names matters; the rest is plausible. */

export type Deciding = (state: TokenState) => TokenDecision;

export const toRequest =
  ({ tryPlan = PLAN, ...more }: Partial<RequestToken> = {}): Deciding =>
  (state) =>
    requestToken(state, {
      at: minutes(0),
      commandId: 'asked',
      root: ROOT,
      merchantId: 'mer_1',
      channel: 'CardPresent',
      currency: 'USD',
      paymentMethod: TERMINAL,
      ...more,
      ...(!more.form && { tryPlan }),
    });
export const toUpdate =
  (more: Partial<UpdateToken> = {}): Deciding =>
  (state) =>
    updateToken(state, { at: minutes(9), commandId: 'asked', changesExpiry: false, ...more });
export const toRemove =
  (more: Partial<RemoveToken> = {}): Deciding =>
  (state) =>
    removeToken(state, { at: minutes(9), commandId: 'asked', ...more });
export const keysAreDestroyed =
  (at = minutes(10)): Deciding =>
  (state) =>
    recordKeysDestroyed(state, { at });

const step = (of: Partial<OfVerification>): OfVerification => ({
  at: minutes(9),
  operationId: trx(0),
  try: 1,
  ...of,
});

export type Told = Partial<Omit<RecordVerification, 'answer'>>;
export const told =
  (answer: TryAnswer, more: Told = {}): Deciding =>
  (state) =>
    recordVerification(state, { ...step({}), source: 'Answer', answer, receiptLines: [], ...more });

const facts = (responseCode: ResponseCode, more: Partial<AnswerFacts> = {}): AnswerFacts => ({
  responseCode,
  ...more,
});
export const approve = (more: Told = {}, said: Partial<AnswerFacts> = { card: CARD }) =>
  told({ kind: 'Approved', amount: 0, facts: facts(1, said) }, { personal: sealed('first'), ...more });
export const decline = (responseCode: ResponseCode = 10, more: Told = {}) =>
  told({ kind: 'Declined', facts: facts(responseCode, { card: CARD }) }, more);
export const submit = () => told({ kind: 'Submitted', facts: facts(57) });
export const terminalEnds = (resultCode: number, said: Partial<AnswerFacts> = {}) =>
  told({ kind: 'TerminalEnded', resultCode, facts: facts(0, said) });
export const customerCancels = () => told({ kind: 'CustomerCancelled', facts: facts(0) });

export const toInterrupt =
  (of: Partial<OfVerification> = {}): Deciding =>
  (state) =>
    interruptVerification(state, { ...step(of), cause: 'NoAnswer', lostLink: false });
export const toldNotSent =
  (of: Partial<OfVerification> = {}): Deciding =>
  (state) =>
    verificationNotSent(state, { ...step(of), reason: 'too late' });
export const toldNotExecuted =
  (of: Partial<OfVerification> & { readonly reason?: string } = {}): Deciding =>
  (state) => {
    const { reason, ...rest } = of;
    const source = reason === undefined ? 'Annul' : 'Operator';
    return verificationNotExecuted(state, { ...step(rest), source, ...(reason !== undefined && { reason }) });
  };
