import {
  approve,
  challengeEnds,
  challengeOpens,
  customerLeaves,
  customerSubmits,
  decline,
  formTimesOut,
  submit,
  toInterrupt,
  toCloseNotExecuted,
} from '../testing/commands.testing.js';
import { an, given } from '../testing/given-when-then.testing.js';
import {
  CONSENT,
  FORM_EXPIRES,
  ORIGINAL,
  hours,
  interrupted,
  notSent,
  requested,
  sale,
  submitted,
  tryFailed,
  tryRequested,
} from '../testing/histories.testing.js';

const form = requested({ amount: 1000, form: true });
const tried = (number: number) => tryRequested(0, 1000, 'Sale', number, `try-${number}`);
const failed = (count: number) =>
  Array.from({ length: count }, (_, index) => [tried(index + 1), tryFailed(0, index + 1)]).flat();
const justBefore = (at: string) => new Date(Date.parse(at) - 1).toISOString();

describe('a submission of a hosted form', () => {
  it('is an attempt with its own request event', () => {
    given(form)
      .when(customerSubmits({ commandId: 'try-1' }))
      .then(an('TryRequested', { try: 1, executedAs: 'Sale', amount: 1000, commandId: 'try-1' }));
    given(requested({ amount: 1000, form: true, kind: 'Auth' }))
      .when(customerSubmits())
      .then(an('TryRequested', { executedAs: 'Authorize' }));
    given(requested({ amount: 1000, form: true, kind: 'UnreferencedRefund' }))
      .when(customerSubmits())
      .then(an('TryRequested', { executedAs: 'UnreferencedRefund' }));
  });

  it('of a bank account is an attempt that follows the customer’s consent, in one append', () => {
    const bank = given(requested({ amount: 1000, form: true, channel: 'Ach' }));
    const submission = bank.when(customerSubmits({ commandId: 'try-1', consent: CONSENT }));
    submission.then(
      an('ConsentGiven', { operationId: ORIGINAL, try: 1, ...CONSENT }),
      an('TryRequested', { try: 1, commandId: 'try-1' }),
    );
    submission.and
      .when(decline(14))
      .and.when(customerSubmits({ consent: CONSENT }))
      .then(an('ConsentGiven', { try: 2 }), an('TryRequested', { try: 2 }));
  });

  it('that is rejected or repeated stores no consent', () => {
    given(form, tried(1))
      .when(customerSubmits({ consent: CONSENT }))
      .thenRejected('SubmissionInFlight');
    given(form, tried(1))
      .when(customerSubmits({ commandId: 'try-1', consent: CONSENT }))
      .thenNothing();
  });

  it('comes one at a time', () => {
    given(form, tried(1)).when(customerSubmits()).thenRejected('SubmissionInFlight');
    given(form, tried(1), interrupted(0)).when(customerSubmits()).thenRejected('SubmissionInFlight');
    given(form, tried(1))
      .when(challengeOpens())
      .and.when(customerSubmits())
      .thenRejected('SubmissionInFlight');
  });

  it('adds no event when it is repeated', () => {
    given(form, tried(1))
      .when(customerSubmits({ commandId: 'try-1' }))
      .thenNothing();
  });

  it('is accepted until the form expires', () => {
    given(form)
      .when(customerSubmits({ at: justBefore(FORM_EXPIRES) }))
      .then(an('TryRequested'));
    given(form)
      .when(customerSubmits({ at: FORM_EXPIRES }))
      .thenRejected('FormExpired');
  });

  it('is rejected after the form ended', () => {
    given(sale(1000, 1000, { form: true }))
      .when(customerSubmits())
      .thenRejected('FormOver');
    given(form).when(customerLeaves()).and.when(customerSubmits()).thenRejected('FormOver');
    given(form).when(formTimesOut()).and.when(customerSubmits()).thenRejected('FormExpired');
    given(form, tried(1), notSent(0)).when(customerSubmits()).thenRejected('FormOver');
  });

  it('needs a form', () => {
    given(requested({ amount: 1000 }))
      .when(customerSubmits())
      .thenRejected('StepOutOfOrder');
    given().when(customerSubmits()).thenRejected('StepOutOfOrder');
  });
});

describe('a declined submission', () => {
  it('leaves attempts: the form waits for its customer again', () => {
    const declined = given(form, tried(1)).when(decline(10));
    declined.then(an('TryFailed', { try: 1, responseCode: 10, resultCode: 6900, cause: 'Declined' }));
    expect(declined.and.operation(0)).toMatchObject({
      progress: { status: 'AwaitingCustomer' },
      responses: [{ amountApproved: 0, resultCode: 6900 }],
    });
    declined.and.when(customerSubmits()).then(an('TryRequested', { try: 2 }));
  });

  it('is recorded once: a failed attempt can not fail, end or be approved again', () => {
    const over = given(form, failed(1));
    over.when(decline(10)).thenNothing();
    over.when(toCloseNotExecuted()).thenNothing();
    over.when(toInterrupt()).thenNothing();
    over.when(approve(1000)).then(an('LateApprovalFound', { try: 1, amount: 1000, commandId: 'try-1' }));
  });

  it('ends the form if it is the fifth, not the fourth', () => {
    given(form, failed(3), tried(4))
      .when(decline(10, { try: 4 }))
      .then(an('TryFailed', { try: 4 }));
    const fifth = given(form, failed(4), tried(5)).when(decline(11, { try: 5 }));
    fifth.then(an('Declined', { try: 5, responseCode: 11, resultCode: 6900 }));
    fifth.and.when(customerSubmits()).thenRejected('TriesSpent');
    expect(fifth.and.operation(0).responses.map(({ outcome }) => outcome.try)).toEqual([5, 4, 3, 2, 1]);
  });

  it.each([
    ['the issuer declined', 10, undefined, 6900],
    ['the issuer wants verification', 16, undefined, 6900],
    ['the gateway failed', 50, undefined, 6901],
    ['the gateway was busy', 53, undefined, 6901],
    ['no token came', 0, undefined, 6902],
    ['3-D Secure failed', 17, 'Failed', 6800],
    ['3-D Secure was unavailable', 50, 'Unavailable', 6801],
    ['the card is not enrolled', 16, 'NotEnrolled', 6802],
    ['authenticated, and declined all the same', 10, 'Authenticated', 6900],
  ] as const)('has the result code for %s (%d)', (_title, responseCode, status, resultCode) => {
    given(form, tried(1))
      .when(decline(responseCode, status ? { facts: { threeDs: { status } } } : {}))
      .then(an('TryFailed', { responseCode, resultCode }));
  });

  it('counts for bank forms too, but a later decline of the bank is final', () => {
    const bank = requested({ amount: 1000, form: true, channel: 'Ach' });
    given(bank, tried(1))
      .when(decline(14))
      .then(an('TryFailed', { resultCode: 6900 }));
    given(bank, tried(1), submitted(0))
      .when(decline(11, { source: 'Bank' }))
      .then(an('Declined', { responseCode: 11, resultCode: 0 }));
  });
});

describe('leaving a form', () => {
  it('before any attempt cancels it with 55', () => {
    const left = given(form).when(customerLeaves());
    left.then(an('Cancelled', { try: 0, by: 'Customer', resultCode: 55 }));
    expect(left.and.operation(0).responses).toEqual([]);
    expect(left.and.operation(0).progress).not.toHaveProperty('responseCode');
  });

  it('after a failed attempt completes it with that result', () => {
    given(form, failed(2))
      .when(customerLeaves())
      .then(an('Declined', { try: 2, responseCode: 10, resultCode: 6900 }));
  });

  it('is rejected while an attempt is in flight', () => {
    for (const history of [[tried(1)], [tried(1), interrupted(0)]]) {
      given(form, history).when(customerLeaves()).thenRejected('SubmissionInFlight');
      given(form, history).when(formTimesOut()).thenRejected('SubmissionInFlight');
    }
  });

  it('twice adds no event', () => {
    given(form).when(customerLeaves()).and.when(customerLeaves()).thenNothing();
    given(form).when(formTimesOut()).and.when(formTimesOut()).thenNothing();
    given(form, failed(1)).when(formTimesOut()).and.when(customerLeaves()).thenNothing();
  });

  it('is rejected if the payment was approved or waits for its bank', () => {
    given(sale(1000, 1000, { form: true }))
      .when(customerLeaves())
      .thenRejected('FormOver');
    given(requested({ amount: 1000, form: true, channel: 'Ach' }), tried(1), submitted(0))
      .when(customerLeaves())
      .thenRejected('FormOver');
  });
});

describe('an operator who declines a submission without an outcome', () => {
  it('ends the form, so that a late inquiry comes before the customer pays again', () => {
    const resolved = given(form, tried(1), interrupted(0)).when(decline(10, { source: 'Operator' }));
    resolved.then(an('Declined', { source: 'Operator', resultCode: 6900 }));
    resolved.and.when(customerSubmits()).thenRejected('TriesSpent');
  });
});

describe('a form whose time has passed', () => {
  it('expires before any attempt', () => {
    given(form).when(formTimesOut()).then(an('FormExpired'));
  });

  it('completes after a failed attempt with that result', () => {
    given(form, failed(1))
      .when(formTimesOut())
      .then(an('Declined', { try: 1, resultCode: 6900 }));
  });

  it('says expired to a later submission, also after a failed attempt', () => {
    given(form, failed(1)).when(formTimesOut()).and.when(customerSubmits()).thenRejected('FormExpired');
    given(form, failed(1)).when(customerLeaves()).and.when(customerSubmits()).thenRejected('TriesSpent');
  });

  it('does not expire a millisecond early', () => {
    given(form)
      .when(formTimesOut({ at: justBefore(FORM_EXPIRES) }))
      .thenRejected('StepOutOfOrder');
  });
});

describe('a 3-D Secure challenge', () => {
  const challenged = given(form, tried(1)).when(challengeOpens()).and;

  it('keeps its attempt open, which blocks the form', () => {
    expect(challenged.operation(0).progress).toMatchObject({
      status: 'ChallengeOpen',
      challengeId: 'challenge-1',
    });
    challenged.when(customerLeaves()).thenRejected('SubmissionInFlight');
  });

  it('that ended lets the service send the attempt in a new send window', () => {
    const resumes = { sendBefore: hours(1), answerBefore: hours(2) };
    const ended = challenged.when(challengeEnds({ resumes }));
    ended.then(an('ChallengeEnded', { try: 1, threeDs: { status: 'Authenticated' }, resumes }));
    expect(ended.and.operation(0)).toMatchObject({ progress: { status: 'InFlight' }, attempt: resumes });
    ended.and.when(approve(1000)).then(an('Authorized'), an('Captured'));
  });

  it('answered twice, or with another id, changes nothing', () => {
    challenged.when(challengeEnds()).and.when(challengeEnds()).thenNothing();
    challenged.when(challengeEnds({ challengeId: 'challenge-2' })).thenNothing();
    challenged.when(challengeEnds({ try: 2 })).thenNothing();
  });

  it('that was abandoned fails its attempt', () => {
    challenged
      .when(decline(17, { facts: { threeDs: { status: 'Failed' } } }))
      .then(an('TryFailed', { resultCode: 6800 }));
  });

  it('opens only while an attempt is in flight', () => {
    given(form).when(challengeOpens()).thenRejected('StepOutOfOrder');
    given(form, failed(1)).when(challengeOpens()).thenRejected('StepOutOfOrder');
    given(form, tried(1)).when(submit()).and.when(challengeOpens()).thenRejected('StepOutOfOrder');
  });
});
