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

describe('an approved check', () => {
  it('makes the token: the card as it is shown, its expiry sealed, and for 0.00', () => {
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

  it('of a bank account keeps its masked number', () => {
    given(requested({ channel: 'Ach' }))
      .when(approve({ accountNumber: '******6789' }, { accountType: 'Checking' }))
      .then(
        an('TokenCreated', {
          token: expect.objectContaining({ accountNumber: '******6789', accountType: 'Checking' }) as never,
        }),
      );
  });

  it('is approved in whole: there is no part of 0.00', () => {
    given(requested())
      .when(respond({ kind: 'Approved', amount: 0, facts: { responseCode: 2, card: CARD } }))
      .then(an('TokenCreated', { responseCode: 1 }));
  });

  it('that names neither card nor account makes no token', () => {
    const without = given(requested()).when(approve({}, {}));
    without.then(an('VerificationDeclined', { responseCode: 0, resultCode: 0 }));
    expect(without.and.state).toMatchObject({ status: 'Failed' });
  });
});

describe('a check that was not approved', () => {
  it('makes no token, and shows the card that was presented', () => {
    const gone = given(requested()).when(decline(14));
    gone.then(an('VerificationDeclined', { responseCode: 14, resultCode: 0 }));
    expect(gone.and.state).toMatchObject({
      status: 'Failed',
      paymentMethod: TERMINAL,
      operations: [{ progress: { status: 'Declined' }, paymentMethod: { ...TERMINAL, ...CARD } }],
    });
    gone.and.when(toUpdate()).thenRefused('TokenNotFound');
  });

  it('is over even where a processor says that it answers later', () => {
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

describe('a check without an answer', () => {
  it('is interrupted once, and never after an outcome', () => {
    given(requested())
      .when(toInterrupt())
      .then(an('VerificationInterrupted', { cause: 'NoAnswer' }));
    given(requested(), interrupted).when(toInterrupt()).thenNothing();
    given(stored()).when(toInterrupt()).thenNothing();
    given().when(toInterrupt()).thenNothing();
  });

  it('takes its answer, whenever that comes', () => {
    given(requested(), interrupted)
      .when(approve({ source: 'Inquiry' }))
      .then(an('TokenCreated', { source: 'Inquiry' }));
    given(requested(), interrupted).when(decline(11)).then(an('VerificationDeclined'));
  });

  it('is closed by the processor’s promise or an operator’s word', () => {
    given(requested(), interrupted)
      .when(toCloseNotExecuted())
      .then(an('VerificationNotExecuted', { source: 'Annul' }));
    given(requested())
      .when(toCloseNotExecuted({ reason: 'called the acquirer' }))
      .then(an('VerificationNotExecuted', { source: 'Operator', reason: 'called the acquirer' }));
    given(requested(), notExecuted).when(toCloseNotExecuted()).thenNothing();
  });

  it('is "not sent" by its sender’s word, but not once somebody else asks for it', () => {
    const gone = given(requested()).when(toRecordNotSent());
    gone.then(an('VerificationNotSent', { reason: 'too late' }));
    expect(gone.and.state).toMatchObject({ status: 'Failed' });
    given(requested(), interrupted).when(toRecordNotSent()).thenNothing();
  });
});

describe('an answer that was given, or belongs to another try', () => {
  it.each([
    ['a token', stored()],
    ['a token that was changed', [...stored(), updated(1)]],
    ['a token that was removed', [...stored(), removed(1)]],
    ['a check that was declined', [...requested(), declined]],
    ['a check that was closed as not executed', [...requested(), notExecuted]],
    ['a check that was not sent', [...requested(), notSent]],
  ])('says nothing of %s', (_what, history) => {
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

  it('changes nothing where its try is not the last', () => {
    given(requested())
      .when(approve({ try: 2 }))
      .thenNothing();
    given(requested())
      .when(toRecordNotSent({ try: 2 }))
      .thenNothing();
  });

  it('to what nobody asked is refused', () => {
    given().when(approve()).thenRefused('StepOutOfOrder');
    given(requested())
      .when(approve({ operationId: trx(7) }))
      .thenRefused('StepOutOfOrder');
  });

  it('to an operation that has no check says nothing', () => {
    given(stored(), updated(1))
      .when(approve({ operationId: trx(1) }))
      .thenNothing();
  });
});
