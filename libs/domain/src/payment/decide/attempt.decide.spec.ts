import {
  approve,
  CHALLENGE,
  challenge,
  customerCancels,
  decline,
  submit,
  terminalEnds,
  toCapture,
  toInterrupt,
  toResend,
  toCloseNotExecuted,
  toRecordNotSent,
} from '../testing/commands.testing.js';
import { an, given } from '../testing/given-when-then.testing.js';
import {
  auth,
  captureRequested,
  hours,
  interrupted,
  notExecuted,
  notSent,
  requested,
  sale,
  submitted,
  trx,
} from '../testing/histories.testing.js';

const running = requested({ amount: 1000 });
const capturing = [...auth(1000), ...captureRequested(1, 400)];

describe('an attempt without an answer', () => {
  it('is interrupted once', () => {
    given(running)
      .when(toInterrupt())
      .then(an('Interrupted', { try: 1, cause: 'NoAnswer' }));
    given(running, interrupted(0)).when(toInterrupt()).thenNothing();
  });

  it('is not interrupted if it has an outcome or is not the last one', () => {
    given(sale(1000)).when(toInterrupt()).thenNothing();
    given(running, submitted(0)).when(toInterrupt()).thenNothing();
    given(running)
      .when(toInterrupt({ try: 2 }))
      .thenNothing();
  });

  it('holds its amount until it has an outcome', () => {
    given(capturing, interrupted(1))
      .when(toCapture({ amount: 1000 }))
      .thenRejected('AmountHeld');
  });

  it.each([-400, 0, 0.5, NaN, 1_000_000_000])(
    'rejects an approval of %d cents, and stays without an outcome',
    (amount) => {
      given(running)
        .when(approve(amount))
        .thenRejected('InvalidAmount', /1 to 999999999/);
    },
  );

  it('accepts its answer at any time', () => {
    given(running, interrupted(0))
      .when(approve(1000, { source: 'Inquiry' }))
      .then(an('Authorized', { source: 'Inquiry' }), an('Captured'));
    given(running, interrupted(0))
      .when(decline(11))
      .then(an('Declined', { responseCode: 11 }));
  });

  it('is closed as not executed by the processor’s promise or by a manual resolution', () => {
    given(running, interrupted(0))
      .when(toCloseNotExecuted())
      .then(an('NotExecuted', { try: 1, source: 'Annul' }));
    given(running, interrupted(0))
      .when(toCloseNotExecuted({ source: 'Operator', reason: 'called the acquirer' }))
      .then(an('NotExecuted', { source: 'Operator', reason: 'called the acquirer' }));
    given(running, notExecuted(0)).when(toCloseNotExecuted()).thenNothing();
    given(sale(1000)).when(toCloseNotExecuted()).thenNothing();
  });
});

describe('a manual resolution', () => {
  const saysYes = approve(1000, { source: 'Operator' });

  it('ends an attempt with an unknown outcome', () => {
    given(running, interrupted(0))
      .when(saysYes)
      .then(an('Authorized', { source: 'Operator' }), an('Captured'));
    given(running, interrupted(0))
      .when(decline(10, { source: 'Operator' }))
      .then(an('Declined', { source: 'Operator', responseCode: 10 }));
    given(running).when(saysYes).then(an('Authorized'), an('Captured'));
  });

  it('is ignored if the processor answered first, and is never a late execution', () => {
    for (const ending of [notExecuted(0), notSent(0), submitted(0)]) {
      given(running, ending).when(saysYes).thenNothing();
      given(running, ending)
        .when(toCloseNotExecuted({ source: 'Operator' }))
        .thenNothing();
    }
    given(sale(1000)).when(saysYes).thenNothing();
  });

  it('that was wrong does not hide the processor’s later approval', () => {
    given(running, interrupted(0))
      .when(decline(10, { source: 'Operator' }))
      .and.when(approve(1000, { source: 'LateAnswer' }))
      .then(an('LateApprovalFound', { amount: 1000 }));
  });
});

describe('an attempt that was not sent', () => {
  it('ends its operation, which moved no money', () => {
    const afterNotSent = given(capturing).when(toRecordNotSent({ of: 1 }));
    afterNotSent.then(an('NotSent', { operationId: trx(1), reason: 'too late' }));
    afterNotSent.and.when(toCapture()).then(an('CaptureRequested', { amount: 1000 }), an('TryRequested'));
  });

  it('is never sent again', () => {
    given(capturing, notSent(1))
      .when(toResend({ of: 1 }))
      .thenRejected('StepOutOfOrder');
  });

  it('is ignored after the resolver sent it again or interrupted it', () => {
    given(capturing)
      .when(toResend({ of: 1 }))
      .and.when(toRecordNotSent({ of: 1 }))
      .thenNothing();
    given(capturing, interrupted(1))
      .when(toRecordNotSent({ of: 1 }))
      .thenNothing();
    given(sale(1000)).when(toRecordNotSent()).thenNothing();
  });
});

describe('sending an attempt again', () => {
  it('changes its send window and keeps its key', () => {
    const again = given(capturing, interrupted(1)).when(toResend({ of: 1 }));
    again.then(an('ResendRequested', { operationId: trx(1), try: 1, sendBefore: hours(2) }));
    expect(again.and.operation(1).attempt).toMatchObject({
      number: 1,
      sendBefore: hours(2),
      answerBefore: hours(2),
      resent: true,
    });
  });

  it.each(['Sale', 'Auth', 'UnreferencedRefund'] as const)('is never done with a %s', (kind) => {
    given(requested({ amount: 1000, kind }), interrupted(0))
      .when(toResend())
      .thenRejected('StepOutOfOrder');
  });

  it('is rejected after an outcome', () => {
    given(capturing)
      .when(approve(400, { of: 1 }))
      .and.when(toResend({ of: 1 }))
      .thenRejected('StepOutOfOrder');
    given(capturing)
      .when(toResend({ of: 1, try: 2 }))
      .thenRejected('StepOutOfOrder');
  });
});

describe('an answer that the cardholder has to be authenticated', () => {
  it('opens a challenge, which holds the amount and takes the answer that follows', () => {
    const open = given(running).when(challenge());
    open.then(an('ChallengeOpened', { try: 1, ...CHALLENGE }));
    expect(open.and.operation(0).progress).toEqual({ status: 'ChallengeOpen', ...CHALLENGE });
    open.and.when(approve(1000)).then(an('Authorized'), an('Captured'));
    open.and.when(decline(17)).then(an('Declined', { responseCode: 17 }));
  });

  it('opens it once, also if an inquiry reports it', () => {
    given(running).when(challenge()).and.when(challenge()).thenNothing();
    given(running, interrupted(0))
      .when(challenge({ source: 'Inquiry' }))
      .then(an('ChallengeOpened'));
    given(sale(1000)).when(challenge()).thenNothing();
  });
});

describe('an answer', () => {
  it('that is repeated adds no event', () => {
    given(sale(1000)).when(approve(1000)).thenNothing();
    given(running).when(decline()).and.when(decline()).thenNothing();
    given(running, submitted(0)).when(submit()).thenNothing();
  });

  it('that contradicts an approval is ignored', () => {
    given(sale(1000)).when(decline()).thenNothing();
    given(sale(1000)).when(toRecordNotSent()).thenNothing();
  });

  it('of a bank may come in two steps; the final one replaces the first', () => {
    const afterSubmit = given(requested({ amount: 1000, channel: 'Ach' })).when(submit());
    afterSubmit.then(an('Submitted', { responseCode: 57 }));
    expect(afterSubmit.and.operation(0).responses).toMatchObject([{ amountApproved: 0, resultCode: 0 }]);
    const final = afterSubmit.and.when(approve(1000, { source: 'Bank' }));
    final.then(an('Authorized'), an('Captured', { amount: 1000 }));
    expect(final.and.operation(0).responses).toMatchObject([
      { amountApproved: 1000, outcome: { responseCode: 1 } },
    ]);
  });

  it.each([
    [1003, 53],
    [1005, 51],
    [3005, 51],
    [3006, 51],
    [3009, 50],
    [3010, 56],
    [3011, 0],
    [9999, 0],
  ])(
    'of a terminal that ended with %d is a cancellation with response code %d',
    (resultCode, responseCode) => {
      given(requested({ amount: 1000, channel: 'CardPresent' }))
        .when(terminalEnds(resultCode))
        .then(an('Cancelled', { by: 'Terminal', resultCode, responseCode: responseCode as 0 }));
    },
  );

  it('of a customer who cancels on the terminal is a cancellation with response code 55', () => {
    given(requested({ amount: 1000, channel: 'CardPresent' }))
      .when(customerCancels())
      .then(an('Cancelled', { by: 'Customer', resultCode: 0, responseCode: 55 }));
  });

  it('is recorded with all its fields', () => {
    const facts = {
      hostCode: '00',
      hostText: 'APPROVAL',
      authCode: '123456',
      gatewayTransactionId: 'g',
      networkTransactionId: 'n',
      avsResult: 'Y',
      cvvResult: 'M',
    } as const;
    given(running)
      .when(approve(1000, { facts }))
      .then(
        an('Authorized', { ...facts, processor: 'sandbox', processorAccount: 'acct' }),
        an('Captured', facts),
      );
  });
});
