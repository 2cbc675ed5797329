import type { AttemptResponse } from '../../attempt/index.js';
import { toRefund } from '../testing/commands.testing.js';
import { an, given, type DecisionFunction } from '../testing/given-when-then.testing.js';
import {
  AUTHORIZATION_EXPIRES,
  auth,
  days,
  hours,
  ORIGINAL,
  requested,
  sale,
  trx,
} from '../testing/histories.testing.js';
import { captureBalance } from '../payment.balance.js';
import type { BringIn, RecordedAttempt } from './bring-in.command.js';
import { bringIn } from './bring-in.decide.js';

const approved = (amount: number): AttemptResponse => ({
  kind: 'Approved',
  amount,
  facts: { responseCode: 1, hostCode: '00', authCode: 'A1' },
});
const declined: AttemptResponse = { kind: 'Declined', facts: { responseCode: 10, hostCode: '05' } };
const batchClosed: AttemptResponse = { kind: 'ProcessorBatchClosed', facts: { responseCode: 20 } };

const attempt = (options: Partial<RecordedAttempt> = {}): RecordedAttempt => ({
  ...{ number: 1, executedAs: 'Sale', amount: 1000, at: hours(2), sentAt: hours(2) },
  account: { processor: 'sandbox', processorAccount: 'acct' },
  answer: approved(options.amount ?? 1000),
  ...options,
});

const bring =
  (options: Partial<BringIn> = {}): DecisionFunction =>
  (state) =>
    bringIn(state, {
      operationId: ORIGINAL,
      commandId: 'brought-in',
      attempts: [attempt()],
      opening: {
        ...{ merchantId: 'mer_1', currency: 'USD', channel: 'CardPresent' },
        paymentMethod: { id: 'pmt_1', type: 'Physical', currency: 'USD' },
      },
      wasReversed: false,
      expiresAt: AUTHORIZATION_EXPIRES,
      receiptLines: () => ['a receipt'],
      ...options,
    });
const on = (number: number, operationId: number, attempts: BringIn['attempts']): Partial<BringIn> => ({
  operationId: trx(operationId),
  original: { operationId: trx(number), try: 1 },
  attempts,
});

describe('bringing in what a processor executed', () => {
  it('opens a payment with its request, its attempt and its outcome', () => {
    const found = given().when(bring());
    found.then(
      an('SaleRequested', { operationId: ORIGINAL, amount: 1000, merchantId: 'mer_1', at: hours(2) }),
      an('TryRequested', { try: 1, executedAs: 'Sale', processor: 'sandbox', sendBefore: hours(2) }),
      an('Authorized', { amount: 1000, source: 'Inquiry', receiptLines: ['a receipt'] }),
      an('Captured', { amount: 1000 }),
    );
    found.and.when(bring()).thenNothing();
  });

  it('keeps an authorization open for its captures', () => {
    const found = given().when(bring({ attempts: [attempt({ executedAs: 'Authorize' })] }));
    found.then(
      an('AuthorizationRequested'),
      an('TryRequested'),
      an('Authorized', { expiresAt: AUTHORIZATION_EXPIRES }),
    );
    const captured = found.and.when(bring(on(0, 1, [attempt({ executedAs: 'Capture', amount: 400 })])));
    captured.then(
      an('CaptureRequested', { amount: 400 }),
      an('TryRequested'),
      an('Captured', { amount: 400 }),
    );
  });

  it('keeps declines, so that their numbers are not used again', () => {
    const found = given().when(bring({ attempts: [attempt({ answer: declined })] }));
    found.then(an('SaleRequested'), an('TryRequested'), an('Declined', { responseCode: 10 }));
  });

  it('gives the next operation a number above all that the processor knows', () => {
    const found = given(sale(1000)).when(bring(on(0, 3, [attempt({ executedAs: 'Void', amount: 100 })])));
    found.then(
      an('VoidRequested', { operationId: trx(3) }),
      an('TryRequested'),
      an('Voided', { amount: 100 }),
    );
    found.and
      .when(toRefund({ amount: 100 }))
      .then(an('RefundRequested', { operationId: trx(4) }), an('TryRequested'));
  });

  it('takes a void for a void, and a void that became a refund for a refund', () => {
    const attempts: BringIn['attempts'] = [
      attempt({ executedAs: 'Void', answer: batchClosed }),
      attempt({ number: 2, executedAs: 'Refund' }),
    ];
    given(sale(1000))
      .when(bring(on(0, 1, attempts)))
      .then(
        an('RefundRequested', { executedAs: 'Void' }),
        an('TryRequested', { try: 1 }),
        an('TryFailed', { cause: 'ProcessorBatchClosed' }),
        an('TryRequested', { try: 2, executedAs: 'Refund' }),
        an('Refunded', { try: 2, amount: 1000 }),
      );
  });

  it('has an attempt for each number, so that the account of the last one is found', () => {
    const attempts: BringIn['attempts'] = [attempt({ number: 2, answer: declined }), attempt({ number: 3 })];
    const found = given().when(bring({ attempts }));
    found.then(
      an('SaleRequested'),
      an('TryRequested', { try: 1 }),
      an('NotExecuted', { try: 1 }),
      an('TryRequested', { try: 2 }),
      an('TryFailed', { try: 2, cause: 'Declined' }),
      an('TryRequested', { try: 3 }),
      an('Authorized', { try: 3 }),
      an('Captured'),
    );
    found.and
      .when(toRefund({ amount: 1000 }))
      .then(an('RefundRequested'), an('TryRequested', { processorAccount: 'acct' }));
  });

  it('adds the submissions of a form that the history has', () => {
    const attempts: BringIn['attempts'] = [attempt()];
    given(requested({ amount: 1000, form: true }))
      .when(bring({ attempts }))
      .then(an('TryRequested', { try: 1 }), an('Authorized'), an('Captured'));
  });

  it('ends an attempt that was under way when the copy was made', () => {
    given(requested({ amount: 1000 }))
      .when(bring())
      .then(an('Authorized', { amount: 1000, source: 'Inquiry' }), an('Captured'));
  });

  it('counts a reversed late execution as not executed', () => {
    const found = given().when(bring({ wasReversed: true }));
    found.then(
      an('SaleRequested'),
      an('TryRequested'),
      an('NotExecuted'),
      an('LateApprovalFound', { amount: 1000 }),
    );
    const reversed = found.and.when(bring(on(0, 960, [attempt({ executedAs: 'Reverse' })])));
    reversed.then(
      an('ReversalRequested', { cause: 'LateApproval', originalTry: 1, amount: 1000 }),
      an('TryRequested', { executedAs: 'Reverse' }),
      an('Reversed', { amount: 1000 }),
    );
    const [original] = reversed.payment.operations;
    expect(original && captureBalance(reversed.payment, original).captured).toBe(0);
  });

  it('expires an authorization that was reversed', () => {
    const reversal = attempt({ executedAs: 'Reverse', at: days(8) });
    given(auth(1000))
      .when(bring(on(0, 960, [reversal])))
      .then(
        an('AuthorizationExpired', { operationId: ORIGINAL, amount: 1000, at: days(8) }),
        an('ReversalRequested', { cause: 'AuthorizationExpired' }),
        an('TryRequested'),
        an('Reversed'),
      );
  });

  describe('is refused', () => {
    it('without its original', () => {
      given(sale(1000))
        .when(bring(on(2, 3, [attempt({ executedAs: 'Void' })])))
        .thenRejected('OriginalNotFound');
    });

    it('if the history would give back more than was paid', () => {
      given(sale(1000))
        .when(bring(on(0, 1, [attempt({ executedAs: 'Refund', amount: 1001 })])))
        .thenRejected('StepOutOfOrder');
    });

    it('if another payment has its id', () => {
      given(sale(1000)).when(bring()).thenNothing();
      given(sale(1000))
        .when(bring({ operationId: trx(1) }))
        .thenRejected('AlreadyOpened');
    });

    it('while an attempt before it has no outcome', () => {
      given(requested({ amount: 1000 }))
        .when(bring({ attempts: [attempt({ number: 2 })] }))
        .thenRejected('StepOutOfOrder');
    });

    it('if it reverses what counts as approved', () => {
      given(sale(1000))
        .when(bring(on(0, 960, [attempt({ executedAs: 'Reverse' })])))
        .thenRejected('StepOutOfOrder');
    });

    it('with an amount that no payment has', () => {
      given()
        .when(bring({ attempts: [attempt({ answer: approved(0) })] }))
        .thenRejected('InvalidAmount');
    });
  });
});
