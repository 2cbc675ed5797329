import { MAX_AMOUNT } from '../shared/money.js';
import { toCapture } from './testing/commands.testing.js';
import { an, given } from './testing/given-when-then.testing.js';
import {
  AUTHORIZATION_EXPIRES,
  auth,
  captureRequested,
  captured,
  declined,
  expired,
  hours,
  interrupted,
  refunded,
  requested,
  reversalRequested,
  sale,
  trx,
  voidRequested,
  voided,
} from './testing/histories.testing.js';

const FULL = [
  an('CaptureRequested', { amount: 1000 }),
  an('TryRequested', { executedAs: 'Capture', amount: 1000 }),
];

describe('capture', () => {
  it('without an amount takes all of the authorization', () => {
    given(auth(1000))
      .when(toCapture())
      .then(...FULL);
  });

  it('without an amount takes only the approved amount', () => {
    given(auth(1000, 600))
      .when(toCapture())
      .then(an('CaptureRequested', { amount: 600 }), an('TryRequested', { amount: 600 }));
    given(auth(1000, 600))
      .when(toCapture({ amount: 601 }))
      .thenRejected('AmountAboveOpenAuthorization', /received 601, allowed 1 to 600/);
  });

  it('can take the whole open amount, and not a cent more', () => {
    given(auth(1000))
      .when(toCapture({ amount: 1000 }))
      .then(...FULL);
    given(auth(1000))
      .when(toCapture({ amount: 1001 }))
      .thenRejected('AmountAboveOpenAuthorization');
  });

  it.each([0, -1, MAX_AMOUNT + 1])('of %d is out of range', (amount) => {
    given(auth(1000)).when(toCapture({ amount })).thenRejected('InvalidAmount');
  });

  it('is possible several times until the amount is used up', () => {
    const partly = given(auth(1000), captured(1, 400));
    partly
      .when(toCapture({ amount: 600 }))
      .then(an('CaptureRequested', { operationId: trx(2), amount: 600 }), an('TryRequested'));
    partly.when(toCapture({ amount: 601 })).thenRejected('AmountAboveOpenAuthorization', /1 to 600/);
    given(auth(1000), captured(1, 400), captured(2, 600))
      .when(toCapture({ amount: 1 }))
      .thenRejected('AmountAboveOpenAuthorization');
  });

  it('needs an amount after a partial capture', () => {
    given(auth(1000), captured(1, 400)).when(toCapture()).thenRejected('ExplicitAmountRequired');
    given(auth(1000), captured(1, 1000)).when(toCapture()).thenRejected('ExplicitAmountRequired');
  });

  it('needs an amount after a part of the authorization was voided', () => {
    const partly = given(auth(1000), voided(1, 400));
    partly.when(toCapture()).thenRejected('ExplicitAmountRequired');
    partly.when(toCapture({ amount: 600 })).then(an('CaptureRequested'), an('TryRequested'));
    partly.when(toCapture({ amount: 601 })).thenRejected('AmountAboveOpenAuthorization');
  });

  it('that was declined takes nothing', () => {
    given(auth(1000), captureRequested(1, 1000), declined(1))
      .when(toCapture())
      .then(...FULL);
  });

  it('without an outcome holds its amount', () => {
    const running = given(auth(1000), captureRequested(1, 400), interrupted(1));
    running.when(toCapture({ amount: 600 })).then(an('CaptureRequested'), an('TryRequested'));
    running.when(toCapture({ amount: 601 })).thenRejected('AmountHeld', /allowed now 1 to 600, held 400/);
    running.when(toCapture({ amount: 1000 })).thenRejected('AmountHeld');
    running.when(toCapture({ amount: 1001 })).thenRejected('AmountAboveOpenAuthorization');
    running.when(toCapture()).thenRejected('AmountUndecided');
  });

  it('has less open while a void of the authorization has no outcome', () => {
    given(auth(1000), voidRequested(1, 1000))
      .when(toCapture({ amount: 1 }))
      .thenRejected('AmountHeld');
  });

  it('voiding a capture does not make that part capturable again', () => {
    given(auth(1000), captured(1, 1000), voided(2, 1000, { of: 1 }))
      .when(toCapture({ amount: 1 }))
      .thenRejected('AmountAboveOpenAuthorization', /nothing is left/);
    given(auth(1000), captured(1, 1000), refunded(2, 1000, { of: 1 }))
      .when(toCapture({ amount: 1 }))
      .thenRejected('AmountAboveOpenAuthorization');
  });

  it('of an authorization without an outcome is rejected', () => {
    given(requested({ amount: 1000, kind: 'Auth' }))
      .when(toCapture())
      .thenRejected('OriginalUndecided');
  });

  it('of a declined authorization is rejected', () => {
    given(requested({ amount: 1000, kind: 'Auth' }), declined(0))
      .when(toCapture())
      .thenRejected('OriginalNotApproved');
  });

  it.each([
    ['a sale', sale(1000), 0],
    ['an unreferenced refund', requested({ amount: 1000, kind: 'UnreferencedRefund' }), 0],
    ['a capture', [...auth(1000), ...captured(1, 400)], 1],
    ['a void', [...auth(1000), ...voided(1, 400)], 1],
    ['a refund', [...sale(1000), ...refunded(1, 400)], 1],
  ] as const)('of %s does not fit', (_kind, history, of) => {
    given(history)
      .when(toCapture({ of, amount: 1 }))
      .thenRejected('WrongOriginalType');
  });

  it('of an unknown operation, or the service’s own, is rejected', () => {
    given().when(toCapture()).thenRejected('OriginalNotFound');
    given(auth(1000))
      .when(toCapture({ of: 7 }))
      .thenRejected('OriginalNotFound');
    given(auth(1000), expired(1000), reversalRequested(960, 1000))
      .when(toCapture({ of: 960 }))
      .thenRejected('OriginalNotFound');
  });

  it('of a voided authorization is declined with 21, without an attempt', () => {
    given(auth(1000), voided(1, 1000))
      .when(toCapture({ amount: 5 }))
      .then(
        an('CaptureRequested', { operationId: trx(2), amount: 5 }),
        an('Declined', { operationId: trx(2), try: 0, source: 'Service', responseCode: 21, resultCode: 0 }),
      );
  });

  it('of an expired authorization is declined with 10 from `expiresAt` on', () => {
    given(auth(1000))
      .when(toCapture({ at: AUTHORIZATION_EXPIRES }))
      .then(
        an('CaptureRequested', { amount: 1000 }),
        an('Declined', { try: 0, responseCode: 10, hostText: 'authorization expired' }),
      );
    const justBefore = new Date(Date.parse(AUTHORIZATION_EXPIRES) - 1).toISOString();
    given(auth(1000))
      .when(toCapture({ at: justBefore }))
      .then(...FULL);
  });

  it('needs a breakdown that adds up to its amount, also without an explicit amount', () => {
    given(auth(1000))
      .when(toCapture({ amountBreakdown: { tax: 1000 } }))
      .then(an('CaptureRequested', { amountBreakdown: { tax: 1000 } }), an('TryRequested'));
    given(auth(1000))
      .when(toCapture({ amount: 400, amountBreakdown: { tax: 1000 } }))
      .thenRejected('InvalidBreakdown');
  });

  it('that is repeated finds its operation and adds no event', () => {
    const repeated = given(auth(1000), captureRequested(1, 400)).when(
      toCapture({ commandId: 'command-1', amount: 400 }),
    );
    repeated.thenNothing();
    expect(repeated.decision).toMatchObject({ value: trx(1) });
  });

  it('records the client’s fields', () => {
    given(auth(1000))
      .when(toCapture({ invoiceNumber: 'I1', orderNumber: 'O1', referenceId: 'R1', at: hours(3) }))
      .then(
        an('CaptureRequested', { invoiceNumber: 'I1', orderNumber: 'O1', referenceId: 'R1', at: hours(3) }),
        an('TryRequested', { at: hours(3) }),
      );
  });
});
