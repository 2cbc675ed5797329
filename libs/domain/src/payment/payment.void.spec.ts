import { approve, processorBatchClosed, toVoid } from './testing/commands.testing.js';
import { an, given } from './testing/given-when-then.testing.js';
import {
  AUTHORIZATION_EXPIRES,
  auth,
  batched,
  captureRequested,
  captured,
  declined,
  refundRequested,
  refunded,
  requested,
  sale,
  trx,
  voidRequested,
  voided,
} from './testing/histories.testing.js';

const voids = (amount: number) => [
  an('VoidRequested', { amount }),
  an('TryRequested', { executedAs: 'Void', amount }),
];

describe('void of a sale or capture', () => {
  it('without an amount takes the whole amount', () => {
    given(sale(1000))
      .when(toVoid())
      .then(...voids(1000));
    given(sale(1000, 600))
      .when(toVoid())
      .then(...voids(600));
    given(auth(1000), captured(1, 400))
      .when(toVoid({ of: 1 }))
      .then(...voids(400));
  });

  it('takes a part, and at most the open amount, to the cent', () => {
    const partly = given(sale(1000), voided(1, 400));
    partly.when(toVoid({ amount: 600 })).then(...voids(600));
    partly.when(toVoid({ amount: 601 })).thenRejected('AmountAboveOpenCapture');
  });

  it('needs an amount after a partial void or refund', () => {
    given(sale(1000), voided(1, 1)).when(toVoid()).thenRejected('ExplicitAmountRequired');
    given(sale(1000), refunded(1, 1)).when(toVoid()).thenRejected('ExplicitAmountRequired');
  });

  it('is rejected after a batch took the original', () => {
    given(sale(1000), batched(0, 1000)).when(toVoid()).thenRejected('BatchClosed');
    given(auth(1000), captured(1, 400), batched(1, 400))
      .when(toVoid({ of: 1 }))
      .thenRejected('BatchClosed');
  });

  it('of a capture is possible after a batch took another capture', () => {
    given(auth(1000), captured(1, 400), captured(2, 600), batched(1, 400))
      .when(toVoid({ of: 2 }))
      .then(...voids(600));
  });

  it('is declined with 21 if all was voided', () => {
    given(sale(1000), voided(1, 1000))
      .when(toVoid())
      .then(
        an('VoidRequested', { amount: 1000 }),
        an('Declined', { try: 0, responseCode: 21, hostText: 'already voided' }),
      );
    given(sale(1000), refunded(1, 1000))
      .when(toVoid())
      .then(an('VoidRequested'), an('Declined', { responseCode: 21 }));
  });

  it('without an outcome holds its amount, as a refund does', () => {
    for (const history of [refundRequested(1, 400), voidRequested(1, 400)]) {
      const running = given(sale(1000), history);
      running.when(toVoid({ amount: 600 })).then(...voids(600));
      running.when(toVoid({ amount: 601 })).thenRejected('AmountHeld');
      running.when(toVoid()).thenRejected('AmountUndecided');
    }
  });

  it('is rejected if the original has no outcome or was declined', () => {
    given(requested({ amount: 1000 }))
      .when(toVoid())
      .thenRejected('OriginalUndecided');
    given(requested({ amount: 1000 }), declined(0))
      .when(toVoid())
      .thenRejected('OriginalNotApproved');
  });

  it('is declined with 20 if the processor’s batch closed before ours; the text says to refund', () => {
    const answered = given(sale(1000), voidRequested(1, 1000)).when(processorBatchClosed({ of: 1 }));
    answered.then(an('Declined', { responseCode: 20, resultCode: 0 }));
    expect(answered.decision).toHaveProperty(
      'events.0.data.hostText',
      expect.stringContaining('refund the transaction'),
    );
  });

  it('is recorded as Voided', () => {
    given(sale(1000), voidRequested(1, 400))
      .when(approve(400, { of: 1 }))
      .then(an('Voided', { operationId: trx(1), amount: 400 }));
  });
});

describe('void of an authorization', () => {
  it('releases the whole open amount', () => {
    given(auth(1000))
      .when(toVoid())
      .then(...voids(1000));
    given(auth(1000), captured(1, 400))
      .when(toVoid())
      .then(...voids(600));
    given(auth(1000), voided(1, 100), captured(2, 400))
      .when(toVoid())
      .then(...voids(500));
  });

  it('releases the named amount, and at most the open amount', () => {
    const partly = given(auth(1000), captured(1, 400));
    partly.when(toVoid({ amount: 600 })).then(...voids(600));
    partly.when(toVoid({ amount: 601 })).thenRejected('AmountAboveOpenAuthorization');
    partly.when(toVoid({ amount: 0 })).thenRejected('InvalidAmount');
  });

  it('is rejected if all is captured', () => {
    const all = given(auth(1000), captured(1, 1000));
    all.when(toVoid()).thenRejected('NothingLeftToVoid');
    all.when(toVoid({ amount: 1 })).thenRejected('NothingLeftToVoid');
    given(auth(1000), captured(1, 400), voided(2, 600)).when(toVoid()).thenRejected('NothingLeftToVoid');
  });

  it('is rejected after its capture was voided, too', () => {
    given(auth(1000), captured(1, 1000), voided(2, 1000, { of: 1 }))
      .when(toVoid())
      .thenRejected('NothingLeftToVoid');
  });

  it('is declined with 21 if all was voided', () => {
    given(auth(1000), voided(1, 1000))
      .when(toVoid())
      .then(an('VoidRequested'), an('Declined', { responseCode: 21 }));
    given(auth(1000), voided(1, 300), voided(2, 700))
      .when(toVoid({ amount: 1 }))
      .then(an('VoidRequested'), an('Declined', { responseCode: 21 }));
  });

  it('is rejected while an operation on it has no outcome', () => {
    const running = given(auth(1000), captureRequested(1, 1000));
    running.when(toVoid()).thenRejected('AmountUndecided');
    running.when(toVoid({ amount: 1 })).thenRejected('AmountHeld');
    running.when(toVoid({ amount: 1001 })).thenRejected('AmountAboveOpenAuthorization');
  });

  it('is declined with 10 after the expiry', () => {
    given(auth(1000), captured(1, 400))
      .when(toVoid({ at: AUTHORIZATION_EXPIRES }))
      .then(
        an('VoidRequested', { amount: 600 }),
        an('Declined', { try: 0, responseCode: 10, hostText: 'authorization expired' }),
      );
  });

  it('is not expired if nothing was open', () => {
    given(auth(1000), captured(1, 1000))
      .when(toVoid({ at: AUTHORIZATION_EXPIRES }))
      .thenRejected('NothingLeftToVoid');
  });
});

describe('void of anything else', () => {
  it.each([
    ['an unreferenced refund', requested({ amount: 1000, kind: 'UnreferencedRefund' }), 0],
    ['a void', [...sale(1000), ...voided(1, 400)], 1],
    ['a refund', [...sale(1000), ...refunded(1, 400)], 1],
  ] as const)('%s does not fit', (_kind, history, of) => {
    given(history).when(toVoid({ of })).thenRejected('WrongOriginalType');
  });

  it.each(['Ach', 'Eft'] as const)('no payment by %s can be voided', (channel) => {
    given(sale(1000, 1000, { channel }))
      .when(toVoid())
      .thenRejected('BankPaymentNotVoidable');
  });
});
