import { MAX_AMOUNT } from '../shared/money.js';
import { approve, decline, toOpen } from './testing/commands.testing.js';
import { an, given } from './testing/given-when-then.testing.js';
import { ORIGINAL, auth, requested, sale, trx } from './testing/histories.testing.js';

describe('opening a payment', () => {
  it('a sale is requested and sent at once', () => {
    given()
      .when(toOpen({ kind: 'Sale', amount: 1000 }))
      .then(
        an('SaleRequested', { operationId: ORIGINAL, amount: 1000 }),
        an('TryRequested', { try: 1, executedAs: 'Sale', amount: 1000 }),
      );
  });

  it('an authorization and an unreferenced refund have their own request events', () => {
    given()
      .when(toOpen({ kind: 'Auth' }))
      .then(an('AuthorizationRequested'), an('TryRequested', { executedAs: 'Authorize' }));
    given()
      .when(toOpen({ kind: 'UnreferencedRefund' }))
      .then(an('UnreferencedRefundRequested'), an('TryRequested', { executedAs: 'UnreferencedRefund' }));
  });

  it('a hosted form waits for its customer without an attempt', () => {
    const opened = given().when(toOpen({ byForm: true }));
    opened.then(an('SaleRequested'));
    expect(opened.and.operation(0).progress).toEqual({ status: 'AwaitingCustomer' });
  });

  it.each([1, MAX_AMOUNT])('%d is a valid amount', (amount) => {
    given().when(toOpen({ amount })).then(an('SaleRequested', { amount }), an('TryRequested'));
  });

  it.each([0, -1, MAX_AMOUNT + 1, 1.5, Number.NaN])('%d is not a valid amount', (amount) => {
    given().when(toOpen({ amount })).thenRejected('InvalidAmount');
  });

  it('the parts of a breakdown add up to the amount', () => {
    const parts = { amountGoodsAndServices: 900, tax: 100 };
    given()
      .when(toOpen({ amount: 1000, amountBreakdown: parts }))
      .then(an('SaleRequested', { amountBreakdown: parts }), an('TryRequested'));
    given()
      .when(toOpen({ amount: 1001, amountBreakdown: parts }))
      .thenRejected('InvalidBreakdown', /sum to 1000/);
    given()
      .when(toOpen({ amount: 999, amountBreakdown: parts }))
      .thenRejected('InvalidBreakdown');
  });

  it('a part of a breakdown is 0 to 999999999', () => {
    given()
      .when(toOpen({ amount: 1000, amountBreakdown: { tip: 1001, tax: -1 } }))
      .thenRejected('InvalidBreakdown', /0 to 999999999/);
    given()
      .when(toOpen({ amount: 1000, amountBreakdown: { tip: 1000, tax: 0 } }))
      .then(an('SaleRequested'), an('TryRequested'));
  });

  it('a missing reference id is derived from the operation id', () => {
    given()
      .when(toOpen())
      .then(an('SaleRequested', { referenceId: ORIGINAL.replace('trx_', 'ref_') }), an('TryRequested'));
  });

  it('a client’s reference id is kept', () => {
    given()
      .when(toOpen({ referenceId: 'order 7' }))
      .then(an('SaleRequested', { referenceId: 'order 7' }), an('TryRequested'));
  });

  it('a repeated command finds its operation', () => {
    const repeated = given(requested({ amount: 1000 })).when(
      toOpen({ commandId: 'command-0', amount: 1000 }),
    );
    repeated.thenNothing();
    expect(repeated.decision).toMatchObject({ value: ORIGINAL });
  });

  it('a stream is opened once', () => {
    given(sale(1000)).when(toOpen()).thenRejected('AlreadyOpened');
  });
});

describe('the answer to a sale or authorization', () => {
  it('an approved sale is authorized and captured in one step, under one operation', () => {
    given(requested({ amount: 1000 }))
      .when(approve(1000))
      .then(
        an('Authorized', { operationId: ORIGINAL, amount: 1000, requestedAmount: 1000 }),
        an('Captured', { operationId: ORIGINAL, originalOperationId: ORIGINAL, amount: 1000 }),
      );
  });

  it('an approved authorization has an expiry and is not captured', () => {
    given(requested({ amount: 1000, kind: 'Auth' }))
      .when(approve(1000, { expiresAt: '2026-04-01T00:00:00.000Z' }))
      .then(an('Authorized', { amount: 1000, expiresAt: '2026-04-01T00:00:00.000Z' }));
  });

  it('an unreferenced refund is refunded and has no original', () => {
    const answered = given(requested({ amount: 1000, kind: 'UnreferencedRefund' })).when(approve(1000));
    answered.then(an('Refunded', { amount: 1000 }));
    expect(answered.decision).not.toHaveProperty('events.0.data.originalOperationId');
  });

  it('a partial approval counts with the approved amount', () => {
    const partly = given(requested({ amount: 1000 })).when(approve(600, { facts: { responseCode: 2 } }));
    partly.then(an('Authorized', { amount: 600, requestedAmount: 1000 }), an('Captured', { amount: 600 }));
    expect(partly.and.operation(0)).toMatchObject({
      progress: { status: 'Approved', amount: 600 },
      responses: [{ amountApproved: 600, outcome: { responseCode: 2 } }],
    });
  });

  it('a partial approval reduces the cashback first', () => {
    const amountBreakdown = { amountGoodsAndServices: 700, tax: 100, cashback: 150, tip: 50 };
    given(requested({ amount: 1000, amountBreakdown }))
      .when(approve(840))
      .then(
        an('Authorized', {
          amountBreakdown: { amountGoodsAndServices: 700, tax: 100, cashback: 0, tip: 40 },
        }),
        an('Captured'),
      );
  });

  it.each([10, 11, 18, 50, 0, 19, 20] as const)('a decline with %d ends it and moves no money', (code) => {
    const answered = given(requested({ amount: 1000 })).when(decline(code));
    answered.then(an('Declined', { responseCode: code, resultCode: 0 }));
    expect(answered.and.operation(0)).toMatchObject({ responses: [{ amountApproved: 0 }] });
  });

  it('the card of the answer is in the payment method of the outcome', () => {
    const card = { cardType: 'INTERAC', maskedCardNumber: '**** 0009' } as const;
    given(requested({ amount: 1000, channel: 'CardPresent' }))
      .when(approve(1000, { facts: { card, accountType: 'Debit' } }))
      .then(
        an('Authorized', {
          card,
          paymentMethod: { id: 'pmt_tkn_1', type: 'Token', currency: 'USD', ...card, accountType: 'Debit' },
        }),
        an('Captured'),
      );
  });

  it('the outcome has the receipt once', () => {
    given(requested({ amount: 1000 }))
      .when(approve(1000, { receiptLines: ['TOTAL 10.00'] }))
      .then(an('Authorized', { receiptLines: ['TOTAL 10.00'] }), an('Captured', { receiptLines: [] }));
  });

  it('an approval above the requested amount is recorded and flagged', () => {
    const over = given(requested({ amount: 1000, kind: 'Auth' })).when(approve(1001));
    over.then(an('Authorized', { amount: 1001 }));
    expect(over.and.flags()).toEqual(['OverAuthorized']);
    expect(given(auth(1000)).flags()).toEqual([]);
  });

  it('an answer for an unknown operation is out of order', () => {
    given().when(approve(1000)).thenRejected('StepOutOfOrder');
    given(sale(1000))
      .when(approve(1000, { of: 5 }))
      .thenRejected('StepOutOfOrder');
    expect(trx(5)).not.toBe(ORIGINAL);
  });
});
