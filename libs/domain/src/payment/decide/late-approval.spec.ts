import {
  approve,
  authorizationExpires,
  batchTakes,
  decline,
  processorBatchClosed,
  toReverseLateApproval,
  toRefund,
  toVoid,
  toCloseNotExecuted,
  toRecordNotSent,
} from '../testing/commands.testing.js';
import { an, given } from '../testing/given-when-then.testing.js';
import {
  auth,
  bankReturned,
  captureRequested,
  declined,
  expired,
  lateApproval,
  notExecuted,
  notSent,
  refundRequested,
  requested,
  reversalRequested,
  reversed,
  sale,
  trx,
  tryFailed,
  tryRequested,
  voidRequested,
} from '../testing/histories.testing.js';

const closed = [...requested({ amount: 1000 }), notExecuted(0)];
const late = [...closed, lateApproval(0, 1000)];
const LATE = { cause: 'LateApproval' as const };

describe('an approval of an operation that was closed as not executed', () => {
  it.each([
    ['not executed', notExecuted(0)],
    ['not sent', notSent(0)],
    ['declined', declined(0)],
  ])('is never dropped (%s)', (_title, end) => {
    const found = given(requested({ amount: 1000 }), end).when(approve(1000, { source: 'LateAnswer' }));
    found.then(an('LateApprovalFound', { operationId: trx(0), try: 1, amount: 1000, source: 'LateAnswer' }));
    expect(found.and.flags()).toEqual(['LateApproval']);
  });

  it('leaves the status of the operation', () => {
    const operation = given(late).operation(0);
    expect(operation.progress).toEqual({ status: 'NotExecuted' });
    given(late).when(toRefund()).thenRejected('OriginalNotApproved');
  });

  it('is recorded once for each attempt', () => {
    given(late).when(approve(1000)).thenNothing();
    const form = requested({ amount: 1000, form: true });
    const tried = (number: number) => tryRequested(0, 1000, 'Sale', number, `try-${number}`);
    const second = given(form, tried(1), tryFailed(0, 1), lateApproval(0, 1000), tried(2), notExecuted(0, 2));
    second.when(approve(1000)).thenNothing();
    second.when(approve(1000, { try: 2 })).then(an('LateApprovalFound', { try: 2 }));
  });

  it('can’t be put into a batch', () => {
    given(late).when(batchTakes()).thenRejected('StepOutOfOrder');
  });
});

describe('the reversal of a late execution', () => {
  it('has a request with one of the service’s own operation numbers', () => {
    given(late)
      .when(toReverseLateApproval())
      .then(
        an('ReversalRequested', {
          operationId: trx(960),
          originalOperationId: trx(0),
          originalTry: 1,
          amount: 1000,
          cause: 'LateApproval',
        }),
        an('TryRequested', { operationId: trx(960), executedAs: 'Reverse', amount: 1000 }),
      );
  });

  it('is requested once, while it is pending and after its approval', () => {
    const running = given(late, reversalRequested(960, 1000, LATE));
    running.when(toReverseLateApproval()).thenNothing();
    given(late, reversalRequested(960, 1000, LATE), reversed(960, 1000))
      .when(toReverseLateApproval())
      .thenNothing();
    given(closed).when(toReverseLateApproval()).thenNothing();
  });

  it.each([
    ['never left', notSent(960)],
    ['was never executed', notExecuted(960)],
  ])('that %s is followed by another', (_title, end) => {
    given(late, reversalRequested(960, 1000, LATE), end)
      .when(toReverseLateApproval())
      .then(an('ReversalRequested', { operationId: trx(961) }), an('TryRequested'));
  });

  it('that was declined raises a flag', () => {
    const failed = given(late, reversalRequested(960, 1000, LATE)).when(decline(10, { of: 960 }));
    failed.then(an('Declined'));
    expect(failed.and.flags()).toContain('ReversalFailed');
    failed.and.when(toReverseLateApproval()).thenNothing();
  });

  it('is requested for each of two attempts', () => {
    const form = requested({ amount: 1000, form: true });
    const tried = (number: number) => tryRequested(0, 1000, 'Sale', number, `try-${number}`);
    const two = [tried(1), tryFailed(0, 1), lateApproval(0, 1000), tried(2), notExecuted(0, 2)];
    given(form, two, lateApproval(0, 900, 2), reversalRequested(960, 1000, LATE))
      .when(toReverseLateApproval())
      .then(
        an('ReversalRequested', { operationId: trx(961), originalTry: 2, amount: 900 }),
        an('TryRequested'),
      );
  });

  it('of a sale or capture falls back to a refund after the processor’s batch closed', () => {
    given(late, reversalRequested(960, 1000, LATE))
      .when(processorBatchClosed({ of: 960 }))
      .then(an('TryFailed'), an('TryRequested', { try: 2, executedAs: 'Refund', amount: 1000 }));
    given(auth(1000), captureRequested(1, 400), notExecuted(1), lateApproval(1, 400))
      .when(toReverseLateApproval({ of: 1 }))
      .and.when(processorBatchClosed({ of: 960 }))
      .then(an('TryFailed'), an('TryRequested', { executedAs: 'Refund', amount: 400 }));
  });

  it('never refunds an authorization or a refund', () => {
    for (const kind of ['Auth', 'UnreferencedRefund'] as const) {
      const answered = given(
        requested({ amount: 1000, kind }),
        notExecuted(0),
        lateApproval(0, 1000),
        reversalRequested(960, 1000, LATE),
      ).when(processorBatchClosed({ of: 960 }));
      answered.then(an('Declined', { responseCode: 20 }));
      expect(answered.and.flags()).toContain('ReversalFailed');
    }
  });

  it('does not count, since the late execution does not', () => {
    given(auth(1000), captureRequested(1, 400), notExecuted(1), lateApproval(1, 400))
      .when(toReverseLateApproval({ of: 1 }))
      .and.when(toVoid())
      .then(an('VoidRequested', { amount: 1000 }), an('TryRequested'));
  });

  it('is possible after the bank took the money back as well', () => {
    const returned = given(late, bankReturned(1000)).when(toReverseLateApproval());
    returned.then(an('ReversalRequested'), an('TryRequested'));
    expect(returned.and.operation(960).progress.status).toBe('InFlight');
  });

  it('that is partial raises a flag', () => {
    const partly = given(late, reversalRequested(960, 1000, LATE)).when(approve(400, { of: 960 }));
    partly.then(an('Reversed', { amount: 400, originalOperationId: trx(0) }));
    expect(partly.and.flags()).toContain('ReversalFailed');
  });
});

describe('a late refund or void', () => {
  it('counts, is not undone, and raises a flag', () => {
    const found = given(sale(1000), refundRequested(1, 400), notExecuted(1)).when(
      approve(400, { of: 1 }),
    ).and;
    expect(found.flags()).toEqual(['LateRefund']);
    found.when(toReverseLateApproval({ of: 1 })).thenNothing();
    found.when(toRefund({ amount: 601 })).thenRejected('AmountAboveOpenCapture', /1 to 600/);
    given(auth(1000), voidRequested(1, 400), notExecuted(1))
      .when(approve(400, { of: 1 }))
      .and.when(toVoid({ amount: 601 }))
      .thenRejected('AmountAboveOpenAuthorization');
  });

  it('counts beside the attempt that was approved', () => {
    const twice = given(sale(1000), refundRequested(1, 400))
      .when(processorBatchClosed({ of: 1 }))
      .and.when(approve(400, { of: 1, try: 2 }))
      .and.when(approve(400, { of: 1, try: 1 }));
    twice.then(an('LateApprovalFound', { try: 1 }));
    twice.and
      .when(toRefund({ commandId: 'next', amount: 201 }))
      .thenRejected('AmountAboveOpenCapture', /1 to 200/);
  });

  it('beyond the limit raises a flag, and the payment goes on', () => {
    const over = given(sale(1000), refundRequested(1, 1000), notExecuted(1), voidRequested(2, 1000))
      .when(approve(1000, { of: 2 }))
      .and.when(approve(1000, { of: 1 })).and;
    expect(over.flags()).toContain('OverRefunded');
    over.when(toRefund({ amount: 1 })).then(an('RefundRequested'), an('Declined', { responseCode: 21 }));
  });

  it('a late reversal counts too', () => {
    const found = given(auth(1000), expired(1000), reversalRequested(960, 1000))
      .when(toCloseNotExecuted({ of: 960 }))
      .and.when(approve(1000, { of: 960 })).and;
    expect(found.flags()).toEqual(['LateRefund']);
    found.when(authorizationExpires()).thenNothing();
  });

  it('a reversal that was not sent ends as any other operation', () => {
    given(auth(1000), expired(1000), reversalRequested(960, 1000))
      .when(toRecordNotSent({ of: 960 }))
      .then(an('NotSent', { operationId: trx(960) }));
  });
});
