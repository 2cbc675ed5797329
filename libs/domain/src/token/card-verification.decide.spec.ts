import { findTokenOperation } from './token.state.js';
import {
  approve,
  customerCancels,
  decline,
  submit,
  terminalEnds,
  toInterrupt,
  toUpdate,
  respond,
  toCloseNotExecuted,
  toRecordNotSent,
} from './testing/commands.testing.js';
import {
  CARD,
  TERMINAL,
  TOKEN_ID,
  an,
  declined,
  given,
  interrupted,
  minutes,
  notExecuted,
  notSent,
  removed,
  requested,
  sealed,
  stored,
  tokenOf,
  trx,
  updated,
} from './testing/histories.testing.js';

describe('an approved verification', () => {
  it('creates the token, with the masked card and the sealed expiry, for 0.00', () => {
    const made = given(requested({ description: 'Visa' })).when(
      approve(
        { receiptLines: ['APPROVED'] },
        { card: CARD, accountType: 'Credit', networkTransactionId: 'n1', gatewayTransactionId: 'g1' },
      ),
    );
    made.then(
      an('TokenCreated', {
        operationId: trx(0),
        commandId: 'command-0',
        try: 1,
        responseCode: 1,
        gatewayTransactionId: 'g1',
        channel: 'CardPresent',
        paymentMethod: { ...TERMINAL, ...CARD, accountType: 'Credit' },
        receiptLines: ['APPROVED'],
        token: {
          id: TOKEN_ID,
          type: 'Token',
          currency: 'USD',
          description: 'Visa',
          ...CARD,
          accountType: 'Credit',
          personal: sealed('first'),
        },
      }),
    );
    const token = tokenOf(made.and.state);
    expect(token).toMatchObject({
      status: 'Active',
      id: TOKEN_ID,
      networkTransactionId: 'n1',
      createdAt: minutes(9),
      updatedAt: minutes(9),
      paymentMethod: { id: TOKEN_ID, type: 'Token' },
    });
    expect(findTokenOperation(token, trx(0))).toMatchObject({
      createdAt: minutes(0),
      updatedAt: minutes(9),
      progress: { status: 'Approved', amount: 0 },
      responses: [{ amountApproved: 0 }],
      paymentMethod: { id: TOKEN_ID },
    });
  });

  it('of a bank account keeps the masked number', () => {
    const account = { accountNumber: '******6789', accountType: 'Checking' } as const;
    const token = expect.objectContaining(account) as never;
    given(requested({ channel: 'Ach' }))
      .when(approve({ accountNumber: account.accountNumber }, { accountType: account.accountType }))
      .then(an('TokenCreated', { token }));
  });

  it('has no partial approval', () => {
    given(requested())
      .when(respond({ kind: 'Approved', amount: 0, facts: { responseCode: 2, card: CARD } }))
      .then(an('TokenCreated', { responseCode: 1 }));
  });

  it('without a card or account creates no token', () => {
    const without = given(requested()).when(approve({}, {}));
    without.then(an('VerificationDeclined', { responseCode: 0, resultCode: 0 }));
    expect(without.and.state).toMatchObject({ status: 'Failed' });
  });
});

describe('a verification that was not approved', () => {
  it('creates no token, and shows the presented card', () => {
    const ended = given(requested()).when(decline(14));
    ended.then(an('VerificationDeclined', { responseCode: 14, resultCode: 0 }));
    expect(ended.and.state).toMatchObject({
      status: 'Failed',
      paymentMethod: TERMINAL,
      operations: [{ progress: { status: 'Declined' }, paymentMethod: { ...TERMINAL, ...CARD } }],
    });
    ended.and.when(toUpdate()).thenRejected('TokenNotFound');
  });

  it('has ended even if the processor wants to answer later', () => {
    given(requested())
      .when(submit())
      .then(an('VerificationDeclined', { responseCode: 52 }));
  });

  it.each([
    [1003, 53],
    [1005, 51],
    [3005, 51],
    [3006, 51],
    [3009, 50],
    [3010, 56],
    [3020, 0],
  ] as const)(
    'ended by the terminal with %d is cancelled with response code %d',
    (resultCode, responseCode) => {
      given(requested())
        .when(terminalEnds(resultCode, { hostText: 'words', terminalId: 't' }))
        .then(
          an('VerificationCancelled', {
            by: 'Terminal',
            resultCode,
            responseCode,
            hostText: 'words',
            terminalId: 't',
          }),
        );
    },
  );

  it('cancelled by the customer is 0 and 55', () => {
    given(requested())
      .when(customerCancels())
      .then(an('VerificationCancelled', { by: 'Customer', resultCode: 0, responseCode: 55 }));
  });
});

describe('a verification without an answer', () => {
  it('is interrupted once, and never after an outcome', () => {
    given(requested())
      .when(toInterrupt())
      .then(an('VerificationInterrupted', { cause: 'NoAnswer' }));
    given(requested(), interrupted).when(toInterrupt()).thenNothing();
    given(stored()).when(toInterrupt()).thenNothing();
    given().when(toInterrupt()).thenNothing();
  });

  it('accepts its answer at any time', () => {
    given(requested(), interrupted)
      .when(approve({ source: 'Inquiry' }))
      .then(an('TokenCreated', { source: 'Inquiry' }));
    given(requested(), interrupted).when(decline(11)).then(an('VerificationDeclined'));
  });

  it('is closed by the processor’s promise or by a manual resolution', () => {
    given(requested(), interrupted)
      .when(toCloseNotExecuted())
      .then(an('VerificationNotExecuted', { source: 'Annul' }));
    given(requested())
      .when(toCloseNotExecuted({ reason: 'called the acquirer' }))
      .then(an('VerificationNotExecuted', { source: 'Operator', reason: 'called the acquirer' }));
    given(requested(), notExecuted).when(toCloseNotExecuted()).thenNothing();
  });

  it('can be recorded as not sent, but not after it was interrupted', () => {
    const ended = given(requested()).when(toRecordNotSent());
    ended.then(an('VerificationNotSent', { reason: 'too late' }));
    expect(ended.and.state).toMatchObject({ status: 'Failed' });
    given(requested(), interrupted).when(toRecordNotSent()).thenNothing();
  });
});

describe('a repeated answer, or an answer to another attempt', () => {
  it.each([
    ['a token', stored()],
    ['a token that was changed', [...stored(), updated(1)]],
    ['a token that was removed', [...stored(), removed(1)]],
    ['a check that was declined', [...requested(), declined]],
    ['a check that was closed as not executed', [...requested(), notExecuted]],
    ['a check that was not sent', [...requested(), notSent]],
  ])('adds no event to %s', (_title, history) => {
    for (const late of [
      approve(),
      decline(),
      customerCancels(),
      terminalEnds(3005),
      toCloseNotExecuted(),
      toRecordNotSent(),
    ])
      given(history).when(late).thenNothing();
  });

  it('changes nothing if its attempt is not the last', () => {
    given(requested())
      .when(approve({ try: 2 }))
      .thenNothing();
    given(requested())
      .when(toRecordNotSent({ try: 2 }))
      .thenNothing();
  });

  it('to an unknown operation is rejected', () => {
    given().when(approve()).thenRejected('StepOutOfOrder');
    given(requested())
      .when(approve({ operationId: trx(7) }))
      .thenRejected('StepOutOfOrder');
  });

  it('to an operation without a verification adds no event', () => {
    given(stored(), updated(1))
      .when(approve({ operationId: trx(1) }))
      .thenNothing();
  });
});
