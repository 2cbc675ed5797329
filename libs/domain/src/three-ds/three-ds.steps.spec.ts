import {
  approve,
  challengeOpens,
  customerSubmits,
  RENEWED,
  threeDsCompletes,
  toInterrupt,
} from '../payment/testing/commands.testing.js';
import { an, given } from '../payment/testing/given-when-then.testing.js';
import { requested, tryFailed, tryRequested } from '../payment/testing/histories.testing.js';
import * as ofToken from '../token/testing/commands.testing.js';
import * as tokens from '../token/testing/histories.testing.js';
import { findTokenOperation } from '../token/token.state.js';
import { mayBeSent } from './three-ds.steps.js';

const form = requested({ amount: 1000, form: true });
const tried = (number: number) => tryRequested(0, 1000, 'Sale', number, `try-${number}`);
const failed = (count: number) =>
  Array.from({ length: count }, (_, index) => [tried(index + 1), tryFailed(0, index + 1)]).flat();
const submitted = given(form, tried(1));
const challenged = submitted.when(challengeOpens()).and;
const ofChallenge = { challengeId: 'challenge-1' };
const passed = { status: 'Authenticated', eci: '05', cavv: 'proof' } as const;

/** `docs/spec/transactions.md#endings` */
const ENDINGS = [
  ['Failed', 17, 6800],
  ['Unavailable', 50, 6801],
  ['NotEnrolled', 16, 6802],
] as const;

describe('an authentication without a challenge', () => {
  it.each(['Authenticated', 'Attempted', 'NotAuthenticated'] as const)(
    'that ends with %s renews the send window, and the outcome has its facts',
    (status) => {
      const completed = submitted.when(threeDsCompletes({ status, eci: '06' }));
      completed.then(an('ThreeDsCompleted', { try: 1, threeDs: { status, eci: '06' }, resumes: RENEWED }));
      expect(completed.and.operation(0)).toMatchObject({
        progress: { status: 'InFlight' },
        attempt: RENEWED,
      });
      const threeDs = { status, eci: '06' };
      completed.and.when(approve(1000)).then(an('Authorized', { threeDs }), an('Captured', { threeDs }));
    },
  );

  it.each(ENDINGS)(
    'that ends with %s fails its attempt with %d and %d',
    (status, responseCode, resultCode) => {
      const ended = submitted.when(threeDsCompletes({ status }));
      ended.then(an('TryFailed', { source: 'Service', responseCode, resultCode, threeDs: { status } }));
      expect(ended.and.operation(0).progress.status).toBe('AwaitingCustomer');
      ended.and.when(customerSubmits()).then(an('TryRequested', { try: 2 }));
    },
  );

  it('that fails for the fifth attempt ends the form', () => {
    given(form, failed(4), tried(5))
      .when(threeDsCompletes({ status: 'Failed' }, { try: 5 }))
      .then(an('Declined', { try: 5, resultCode: 6800 }));
  });

  it('is recorded once', () => {
    const completed = submitted.when(threeDsCompletes(passed)).and;
    completed.when(threeDsCompletes(passed)).thenNothing();
    completed.when(threeDsCompletes({ status: 'Failed' })).thenNothing();
    completed.when(challengeOpens()).thenRejected('StepOutOfOrder');
  });

  it('that comes after the resolver took the attempt over changes nothing', () => {
    const taken = submitted.when(toInterrupt()).and;
    taken.when(threeDsCompletes(passed)).thenNothing();
    taken.when(threeDsCompletes({ status: 'Failed' })).thenNothing();
    taken.when(challengeOpens()).thenRejected('StepOutOfOrder');
    given(form).when(threeDsCompletes(passed)).thenNothing();
  });
});

describe('a challenge of the 3-D Secure server', () => {
  it('that was passed lets the attempt go on in a new send window', () => {
    const ended = challenged.when(threeDsCompletes(passed, ofChallenge));
    ended.then(an('ChallengeEnded', { ...ofChallenge, threeDs: passed, resumes: RENEWED }));
    expect(ended.and.operation(0)).toMatchObject({
      progress: { status: 'InFlight' },
      attempt: { ...RENEWED, threeDs: passed, accepted: false },
    });
    ended.and.when(approve(1000)).then(an('Authorized', { threeDs: passed }), an('Captured'));
  });

  it.each(ENDINGS)(
    'that ends with %s fails its attempt in one append',
    (status, responseCode, resultCode) => {
      const ended = challenged.when(threeDsCompletes({ status }, ofChallenge));
      ended.then(
        an('ChallengeEnded', { threeDs: { status } }),
        an('TryFailed', { responseCode, resultCode }),
      );
      ended.and.when(customerSubmits()).then(an('TryRequested', { try: 2 }));
    },
  );

  it('ends once, and by its own id only', () => {
    const ended = challenged.when(threeDsCompletes(passed, ofChallenge)).and;
    ended.when(threeDsCompletes(passed, ofChallenge)).thenNothing();
    ended.when(threeDsCompletes({ status: 'Failed' }, ofChallenge)).thenNothing();
    challenged.when(threeDsCompletes(passed, { challengeId: 'challenge-2' })).thenNothing();
    challenged.when(threeDsCompletes(passed)).thenNothing();
    challenged.when(threeDsCompletes(passed, { ...ofChallenge, try: 2 })).thenNothing();
  });
});

describe('the authentication of a card that is stored', () => {
  const { an: token, given: givenToken, minutes, PLAN, FORM, trx } = tokens;
  const [opened] = tokens.requested({ form: FORM, channel: 'CardNotPresent' });
  const verified = givenToken(opened!, {
    type: 'VerificationRequested',
    data: { at: minutes(1), operationId: trx(0), commandId: 'try-1', try: 1, ...PLAN },
  });

  it('comes before the verification, whose outcome has its facts', () => {
    const completed = verified.when(ofToken.threeDsCompletes(passed));
    completed.then(token('VerificationThreeDsCompleted', { threeDs: passed, resumes: ofToken.RENEWED }));
    completed.and.when(ofToken.approve()).then(token('TokenCreated', { threeDs: passed }));
  });

  it('waits for a challenge, and goes on or fails after it', () => {
    const open = verified.when(ofToken.challengeOpens());
    open.then(token('VerificationChallengeOpened'));
    expect(findTokenOperation(open.and.state, trx(0))?.progress).toMatchObject({ status: 'ChallengeOpen' });
    open.and.when(ofToken.customerSubmits({ commandId: 'other' })).thenRejected('SubmissionInFlight');
    open.and
      .when(ofToken.threeDsCompletes(passed, ofChallenge))
      .then(token('VerificationChallengeEnded', { resumes: ofToken.RENEWED }));
    open.and
      .when(ofToken.threeDsCompletes({ status: 'Failed' }, ofChallenge))
      .then(token('VerificationChallengeEnded'), token('VerificationFailed', { resultCode: 6800 }));
  });

  it.each(ENDINGS)(
    'that ends with %s fails its attempt with %d and %d',
    (status, responseCode, resultCode) => {
      verified
        .when(ofToken.threeDsCompletes({ status }))
        .then(token('VerificationFailed', { responseCode, resultCode }));
    },
  );
});

it('An attempt is sent after an authentication, an attempted one, and one that did not authenticate', () => {
  const statuses = [
    'Authenticated',
    'Attempted',
    'NotAuthenticated',
    'Failed',
    'Unavailable',
    'NotEnrolled',
  ] as const;
  expect(statuses.filter((status) => mayBeSent({ status }))).toEqual([
    'Authenticated',
    'Attempted',
    'NotAuthenticated',
  ]);
});
