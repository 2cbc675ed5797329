import { approve, decline, processorBatchClosed, submit, toRefund } from './testing/commands.testing.js';
import { an, given } from './testing/given-when-then.testing.js';
import {
  auth,
  bankReturned,
  batched,
  captured,
  declined,
  interrupted,
  notExecuted,
  notSent,
  outcome,
  refundRequested,
  refunded,
  requested,
  sale,
  submitted,
  trx,
  tryRequested,
  voidRequested,
  voided,
} from './testing/histories.testing.js';

const settled = [...sale(1000), batched(0, 1000)];
const asVoid = [an('RefundRequested', { executedAs: 'Void' }), an('TryRequested', { executedAs: 'Void' })];
const asRefund = [
  an('RefundRequested', { executedAs: 'Refund' }),
  an('TryRequested', { executedAs: 'Refund' }),
];

describe('refund', () => {
  it('is executed as a void while the original is in the current batch', () => {
    given(sale(1000))
      .when(toRefund())
      .then(...asVoid);
  });

  it('is executed as a refund after a batch took the original', () => {
    given(settled)
      .when(toRefund())
      .then(...asRefund);
    given(auth(1000), captured(1, 400), batched(1, 400))
      .when(toRefund({ of: 1 }))
      .then(...asRefund);
  });

  it('without an amount refunds the whole captured amount', () => {
    given(sale(1000, 600))
      .when(toRefund())
      .then(an('RefundRequested', { amount: 600 }), an('TryRequested', { amount: 600 }));
    given(auth(1000), captured(1, 400))
      .when(toRefund({ of: 1 }))
      .then(an('RefundRequested', { amount: 400, originalOperationId: trx(1) }), an('TryRequested'));
  });

  it('refunds at most the open amount, to the cent', () => {
    const partly = given(settled, refunded(1, 400, { executedAs: 'Refund' }));
    partly.when(toRefund({ amount: 600 })).then(an('RefundRequested', { amount: 600 }), an('TryRequested'));
    partly.when(toRefund({ amount: 601 })).thenRejected('AmountAboveOpenCapture', /1 to 600/);
    given(settled)
      .when(toRefund({ amount: 1001 }))
      .thenRejected('AmountAboveOpenCapture');
  });

  it('needs an amount after a partial refund or void', () => {
    given(settled, refunded(1, 1, { executedAs: 'Refund' }))
      .when(toRefund())
      .thenRejected('ExplicitAmountRequired');
    given(sale(1000), voided(1, 1)).when(toRefund()).thenRejected('ExplicitAmountRequired');
  });

  it('of a fully refunded operation is rejected for its amount', () => {
    const all = given(settled, refunded(1, 1000, { executedAs: 'Refund' }));
    all.when(toRefund()).thenRejected('ExplicitAmountRequired');
    all.when(toRefund({ amount: 1 })).thenRejected('AmountAboveOpenCapture', /nothing is left/);
  });

  it.each([
    ['a void', voided(1, 1000)],
    ['a refund executed as one', refunded(1, 1000)],
    ['parts', [...voided(1, 400), ...refunded(2, 600)]],
  ])('of an operation that was fully voided by %s is declined with 21', (_title, voids) => {
    given(sale(1000), voids)
      .when(toRefund({ amount: 5 }))
      .then(an('RefundRequested', { amount: 5 }), an('Declined', { try: 0, responseCode: 21 }));
  });

  it('one cent less than fully voided is not fully voided', () => {
    given(sale(1000), voided(1, 999))
      .when(toRefund({ amount: 1 }))
      .then(...asVoid);
  });

  it('a refund or void without an outcome holds its amount', () => {
    const held = [
      refundRequested(1, 400),
      voidRequested(1, 400),
      [...refundRequested(1, 400), interrupted(1)],
    ];
    for (const history of held) {
      const running = given(sale(1000), history);
      running.when(toRefund({ amount: 600 })).then(...asVoid);
      running.when(toRefund({ amount: 601 })).thenRejected('AmountHeld', /allowed now 1 to 600, held 400/);
      running.when(toRefund({ amount: 1001 })).thenRejected('AmountAboveOpenCapture');
      running.when(toRefund()).thenRejected('AmountUndecided');
    }
  });

  it.each([
    ['declined', declined(1)],
    ['not sent', notSent(1)],
    ['not executed', notExecuted(1)],
  ])('that was %s refunds nothing', (_title, end) => {
    given(sale(1000), refundRequested(1, 1000), end)
      .when(toRefund())
      .then(...asVoid);
  });

  it('of an original without an outcome is rejected', () => {
    given(requested({ amount: 1000 }))
      .when(toRefund())
      .thenRejected('OriginalUndecided');
  });

  it.each([
    ['declined', declined(0)],
    ['not sent', notSent(0)],
    ['not executed', notExecuted(0)],
  ])('of an original that was %s is rejected', (_title, end) => {
    given(requested({ amount: 1000 }), end)
      .when(toRefund())
      .thenRejected('OriginalNotApproved');
  });

  it.each([
    ['an authorization', auth(1000), 0],
    ['an unreferenced refund', requested({ amount: 1000, kind: 'UnreferencedRefund' }), 0],
    ['a void', [...sale(1000), ...voided(1, 400)], 1],
    ['a refund', [...sale(1000), ...refunded(1, 400)], 1],
  ] as const)('of %s does not fit', (_kind, history, of) => {
    given(history)
      .when(toRefund({ of, amount: 1 }))
      .thenRejected('WrongOriginalType');
  });

  it('of one capture does not change the other captures', () => {
    given(auth(1000), captured(1, 400), captured(2, 600), refunded(3, 400, { of: 1 }))
      .when(toRefund({ of: 2 }))
      .then(an('RefundRequested', { amount: 600 }), an('TryRequested'));
  });

  it('is recorded as Voided if it was executed as a void', () => {
    given(sale(1000), refundRequested(1, 400))
      .when(approve(400, { of: 1 }))
      .then(an('Voided', { operationId: trx(1), amount: 400, originalOperationId: trx(0) }));
    given(settled, refundRequested(1, 400, { executedAs: 'Refund' }))
      .when(approve(400, { of: 1 }))
      .then(an('Refunded', { amount: 400 }));
  });
});

describe('a refund after the processor’s batch closed before ours', () => {
  it('falls back from void to refund as a new attempt of the same operation', () => {
    const fellBack = given(sale(1000), refundRequested(1, 400)).when(processorBatchClosed({ of: 1 }));
    fellBack.then(
      an('TryFailed', { operationId: trx(1), try: 1, cause: 'ProcessorBatchClosed' }),
      an('TryRequested', { operationId: trx(1), try: 2, executedAs: 'Refund', amount: 400 }),
    );
    expect(fellBack.and.operation(1)).toMatchObject({ executedAs: 'Refund', responses: [] });
    fellBack.and
      .when(approve(400, { of: 1, try: 2 }))
      .then(an('Refunded', { operationId: trx(1), try: 2, amount: 400 }));
  });

  it('holds its amount during both attempts', () => {
    given(sale(1000), refundRequested(1, 1000))
      .when(processorBatchClosed({ of: 1 }))
      .and.when(toRefund({ amount: 1 }))
      .thenRejected('AmountHeld');
  });

  it('falls back once: a second `ProcessorBatchClosed` declines it with 20', () => {
    const data = { ...outcome(1), resultCode: 0, cause: 'ProcessorBatchClosed' } as const;
    const second = tryRequested(1, 400, 'Refund', 2);
    given(sale(1000), refundRequested(1, 400), { type: 'TryFailed', data }, second)
      .when(processorBatchClosed({ of: 1, try: 2 }))
      .then(an('Declined', { try: 2, responseCode: 20 }));
  });
});

describe('a refund of a bank payment', () => {
  const bank = { channel: 'Ach' as const };

  it('is always executed as a refund and waits for the bank', () => {
    const afterRequest = given(sale(1000, 1000, bank)).when(toRefund({ amount: 400 }));
    afterRequest.then(...asRefund);
    const afterSubmit = afterRequest.and.when(submit({ of: 1 }));
    afterSubmit.then(an('Submitted', { responseCode: 57 }));
    expect(afterSubmit.and.operation(1).progress.status).toBe('Processing');
    afterSubmit.and.when(toRefund({ commandId: 'next', amount: 601 })).thenRejected('AmountHeld');
    afterSubmit.and
      .when(approve(400, { of: 1, source: 'Bank' }))
      .then(an('Refunded', { amount: 400, source: 'Bank' }));
    afterSubmit.and.when(decline(10, { of: 1, source: 'Bank' })).then(an('Declined', { responseCode: 10 }));
  });

  it('of a payment that waits for its bank is rejected', () => {
    given(requested({ amount: 1000, ...bank }), submitted(0))
      .when(toRefund())
      .thenRejected('OriginalUndecided');
  });

  it('counts the bank’s returns', () => {
    const returned = given(sale(1000, 1000, bank), bankReturned(400));
    returned.when(toRefund()).thenRejected('ExplicitAmountRequired');
    returned.when(toRefund({ amount: 601 })).thenRejected('AmountAboveOpenCapture', /1 to 600/);
    returned.when(toRefund({ amount: 600 })).then(...asRefund);
  });
});
