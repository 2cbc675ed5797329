import {
  approve,
  customerLeaves,
  customerSubmits,
  decline,
  formTimesOut,
  respond,
  toCloseNotExecuted,
  toInterrupt,
  toRecordNotSent,
} from './testing/commands.testing.js';
import {
  CARD,
  FORM,
  PLAN,
  an,
  failedTry,
  given,
  minutes,
  requested,
  sealed,
  tokenOf,
  trx,
} from './testing/histories.testing.js';
import type { TokenEvent } from './token.events.js';
import { findTokenOperation, type TokenState } from './token.state.js';

const [opened] = requested({ form: FORM, channel: 'CardNotPresent' });
const form = [opened!];
const submitted = (number: number): TokenEvent => ({
  type: 'VerificationRequested',
  data: { at: minutes(1), operationId: trx(0), commandId: `try-${number}`, try: number, ...PLAN },
});
const failed = (count: number) =>
  Array.from({ length: count }, (_, index) => [submitted(index + 1), failedTry(index + 1)]).flat();
const creation = (state: TokenState) => findTokenOperation(tokenOf(state), trx(0));

describe('a submission of a form that stores a card', () => {
  it('is a verification with its own request, which has the sealed expiry and billing contact', () => {
    given(form)
      .when(customerSubmits({ commandId: 'try-1' }))
      .then(an('VerificationRequested', { try: 1, commandId: 'try-1', personal: sealed('first') }));
  });

  it('of a bank account follows the consent to later debits, in one append', () => {
    const bank = requested({ form: FORM, channel: 'Ach' }).slice(0, 1);
    const consent = {
      version: '2026-11',
      language: 'fr',
      text: 'J’autorise.',
      personal: sealed('proof'),
    } as const;
    const submission = given(bank).when(customerSubmits({ consent }));
    submission.then(
      an('StorageConsentGiven', { operationId: trx(0), try: 1, ...consent }),
      an('VerificationRequested', { try: 1, personal: sealed('first') }),
    );
    submission.and
      .when(approve({ accountNumber: '******6789' }, { accountType: 'Checking' }))
      .then(an('TokenCreated', {}));
  });

  it('comes one at a time, and a repeated one adds no event', () => {
    given(form, submitted(1)).when(customerSubmits()).thenRejected('SubmissionInFlight');
    given(form, submitted(1))
      .when(customerSubmits({ commandId: 'try-1' }))
      .thenNothing();
  });

  it('creates the token when it is approved, also after failed ones', () => {
    const made = given(form, failed(2), submitted(3)).when(approve({ try: 3 }));
    made.then(an('TokenCreated', { try: 3, responseCode: 1 }));
    expect(creation(made.and.state)?.responses.map(({ resultCode }) => resultCode)).toEqual([0, 6900, 6900]);
  });

  it('leaves the form open when it fails, and shows why', () => {
    const left = given(form, submitted(1)).when(decline(11));
    left.then(an('VerificationFailed', { try: 1, responseCode: 11, resultCode: 6900 }));
    expect(creation(left.and.state)).toMatchObject({
      progress: { status: 'AwaitingCustomer' },
      responses: [{ resultCode: 6900, amountApproved: 0 }],
    });
    left.and.when(customerSubmits({ commandId: 'try-2' })).then(an('VerificationRequested', { try: 2 }));
  });

  it('has the result code of what failed: issuer, gateway, or no card', () => {
    given(form, submitted(1))
      .when(decline(50))
      .then(an('VerificationFailed', { resultCode: 6901 }));
    given(form, submitted(1))
      .when(approve({}, {}))
      .then(an('VerificationFailed', { resultCode: 6902 }));
    given(form, submitted(1))
      .when(respond({ kind: 'Submitted', facts: { responseCode: 57 } }))
      .then(an('VerificationFailed', { responseCode: 52, resultCode: 6901 }));
  });

  it('ends the form when the fifth one fails', () => {
    const ended = given(form, failed(4), submitted(5)).when(decline(10, { try: 5 }));
    ended.then(an('VerificationDeclined', { try: 5, resultCode: 6900 }));
    ended.and.when(customerSubmits()).thenRejected('TriesSpent');
  });

  it('is rejected once the form has expired or is over', () => {
    given(form)
      .when(customerSubmits({ at: FORM.expiresAt }))
      .thenRejected('FormExpired');
    given(form).when(formTimesOut()).and.when(customerSubmits()).thenRejected('FormExpired');
    given(form).when(customerLeaves()).and.when(customerSubmits()).thenRejected('FormOver');
    given(form, submitted(1)).when(approve()).and.when(customerSubmits()).thenRejected('FormOver');
    given(form, submitted(1)).when(toRecordNotSent()).and.when(customerSubmits()).thenRejected('FormOver');
  });

  it('without an outcome keeps the form from a second one, and from its end', () => {
    const unknown = given(form, submitted(1)).when(toInterrupt()).and;
    unknown.when(customerSubmits()).thenRejected('SubmissionInFlight');
    unknown.when(customerLeaves()).thenRejected('SubmissionInFlight');
    unknown.when(formTimesOut()).thenRejected('SubmissionInFlight');
  });

  it('that was not executed ends the form without a token', () => {
    const closed = given(form, submitted(1)).when(toInterrupt()).and.when(toCloseNotExecuted());
    closed.then(an('VerificationNotExecuted'));
    expect(tokenOf(closed.and.state).status).toBe('Failed');
  });
});

describe('a form that stores a card and is left or times out', () => {
  it('is cancelled or expired before the first submission', () => {
    given(form)
      .when(customerLeaves())
      .then(an('VerificationCancelled', { try: 0, by: 'Customer', resultCode: 55 }));
    given(form).when(formTimesOut()).then(an('VerificationFormExpired'));
  });

  it('completes with the result of its last submission after one failed', () => {
    const left = given(form, failed(2)).when(customerLeaves());
    left.then(an('VerificationDeclined', { try: 2, resultCode: 6900 }));
    expect(creation(left.and.state)?.responses).toHaveLength(2);
    given(form, failed(1))
      .when(formTimesOut())
      .then(an('VerificationDeclined', { try: 1 }));
  });

  it('says expired to a later submission if it timed out with tries left', () => {
    given(form, failed(1)).when(formTimesOut()).and.when(customerSubmits()).thenRejected('FormExpired');
    given(form, failed(1)).when(customerLeaves()).and.when(customerSubmits()).thenRejected('TriesSpent');
  });

  it('shows the declined card, not a token', () => {
    const left = given(form, failed(1)).when(customerLeaves());
    expect(creation(left.and.state)?.paymentMethod).toMatchObject({ type: 'Physical', ...CARD });
    expect(tokenOf(left.and.state)).toMatchObject({ status: 'Failed' });
  });

  it('is not ended a second time', () => {
    given(form).when(customerLeaves()).and.when(customerLeaves()).thenNothing();
    given(form).when(formTimesOut()).and.when(formTimesOut()).thenNothing();
  });
});
