import { FIRST_SERVICE_OPERATION } from '../shared/ids.js';
import type { PaymentEvent } from './payment.events.js';
import { foldPayment } from './payment.evolve.js';
import { ImpossibleHistory } from '../shared/aggregate.js';
import { toCapture, toRefund, toVoid } from './testing/commands.testing.js';
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

const EXPIRED = { at: AUTHORIZATION_EXPIRES };

describe('if several rules apply (docs/spec/errors.md#which-answer-wins)', () => {
  it('checks of the request alone come before "not found"', () => {
    given()
      .when(toCapture({ amount: 0 }))
      .thenRejected('InvalidAmount');
    given()
      .when(toCapture({ amount: 1, amountBreakdown: { tip: 2 } }))
      .thenRejected('InvalidBreakdown');
  });

  it('"not found" comes before the payment method’s type, and that before the original’s type', () => {
    const bank = given(sale(1000, 1000, { channel: 'Ach' }), refunded(1, 400, { executedAs: 'Refund' }));
    bank.when(toVoid({ of: 9 })).thenRejected('OriginalNotFound');
    bank.when(toVoid({ of: 1 })).thenRejected('BankPaymentNotVoidable');
  });

  it('the original’s type comes before 409', () => {
    given(requested({ amount: 1000 }))
      .when(toCapture())
      .thenRejected('WrongOriginalType');
    given(sale(1000), refundRequested(1, 400))
      .when(toVoid({ of: 1 }))
      .thenRejected('WrongOriginalType');
  });

  it('409 comes before 21 while the last void has no outcome', () => {
    given(auth(1000), voidRequested(1, 1000)).when(toVoid()).thenRejected('AmountUndecided');
    given(auth(1000), voidRequested(1, 1000))
      .when(toVoid({ amount: 1000 }))
      .thenRejected('AmountHeld');
  });

  it('409 comes before "batch closed" and before 10', () => {
    const settling = given(sale(1000), batched(0, 1000), refundRequested(1, 400, { executedAs: 'Refund' }));
    settling.when(toVoid()).thenRejected('AmountUndecided');
    settling.when(toVoid({ amount: 700 })).thenRejected('AmountHeld');
    settling.when(toVoid({ amount: 600 })).thenRejected('BatchClosed');
    given(auth(1000), captureRequested(1, 400)).when(toCapture(EXPIRED)).thenRejected('AmountUndecided');
  });

  it('21 comes before "batch closed", before 10 and before 2012', () => {
    given(sale(1000), voided(1, 1000), batched(0, 0))
      .when(toVoid({ amount: 5000 }))
      .then(an('VoidRequested'), an('Declined', { responseCode: 21 }));
    given(sale(1000), voided(1, 1000))
      .when(toRefund({ amount: 5000 }))
      .then(an('RefundRequested'), an('Declined', { responseCode: 21 }));
    given(auth(1000), voided(1, 1000))
      .when(toCapture({ ...EXPIRED, amount: 5000 }))
      .then(an('CaptureRequested'), an('Declined', { responseCode: 21 }));
  });

  it('"not approved" and "batch closed" come before 2012', () => {
    given(requested({ amount: 1000 }), declined(0))
      .when(toRefund({ amount: 5000 }))
      .thenRejected('OriginalNotApproved');
    given(sale(1000), batched(0, 1000))
      .when(toVoid({ amount: 5000 }))
      .thenRejected('BatchClosed');
  });

  it('"nothing left" comes before 10', () => {
    given(auth(1000), captured(1, 1000)).when(toVoid(EXPIRED)).thenRejected('NothingLeftToVoid');
  });

  it('10 comes before 2012', () => {
    const partly = given(auth(1000), captured(1, 400));
    partly.when(toCapture(EXPIRED)).then(an('CaptureRequested'), an('Declined', { responseCode: 10 }));
    partly
      .when(toCapture({ ...EXPIRED, amount: 5000 }))
      .then(an('CaptureRequested'), an('Declined', { responseCode: 10 }));
    partly
      .when(toVoid({ ...EXPIRED, amount: 5000 }))
      .then(an('VoidRequested'), an('Declined', { responseCode: 10 }));
  });

  it('a missing amount comes before a wrong one', () => {
    given(auth(1000), captured(1, 1000)).when(toCapture()).thenRejected('ExplicitAmountRequired');
  });
});

describe('the operation numbers of a stream', () => {
  const parts = (count: number): PaymentEvent[] =>
    Array.from({ length: count }, (_, index) => captured(index + 1, 1)).flat();

  it('last for 960 operations of clients', () => {
    const almost = given(auth(2000), parts(FIRST_SERVICE_OPERATION - 2));
    const last = almost.when(toCapture({ amount: 1 }));
    last.then(an('CaptureRequested', { operationId: trx(FIRST_SERVICE_OPERATION - 1) }), an('TryRequested'));
    last.and.when(toCapture({ commandId: 'next', amount: 1 })).thenRejected('TooManyOperations');
    last.and.when(toRefund({ commandId: 'next', of: 1 })).thenRejected('TooManyOperations');
  });

  it('a full stream folds quickly', () => {
    const history = [...auth(2000), ...parts(FIRST_SERVICE_OPERATION - 1)];
    const start = performance.now();
    foldPayment(history);
    // A fold that looked through all before at each event would take minutes.
    expect(performance.now() - start).toBeLessThan(10_000);
  });
});

describe('a history that no decision could have made', () => {
  it.each([
    ['opens twice', [...sale(1000), ...sale(1000)]],
    ['goes on without an opening', captured(1, 400)],
    ['names an operation twice', [...auth(1000), ...captured(1, 400), ...captured(1, 400)]],
    ['has an outcome of an unknown operation', [...sale(1000), declined(4)]],
    ['has a follow-up to an unknown operation', [...auth(1000), ...captured(2, 400, { of: 1 })]],
    ['captures more than is open', [...auth(1000), ...captured(1, 600), ...captureRequested(2, 401)]],
    ['refunds more than is open', [...sale(1000), ...refunded(1, 600), ...refundRequested(2, 401)]],
    ['voids more than is open', [...auth(1000), ...captured(1, 600), ...voidRequested(2, 401)]],
  ])('is impossible: it %s', (_title, history) => {
    expect(() => foldPayment(history)).toThrow(ImpossibleHistory);
  });

  it('is impossible: it has an event of an unknown type', () => {
    const unknown = { type: 'Teleported', data: {} } as unknown as PaymentEvent;
    expect(() => foldPayment([unknown])).toThrow(ImpossibleHistory);
  });
});
