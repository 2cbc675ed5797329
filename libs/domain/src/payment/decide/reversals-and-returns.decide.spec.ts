import {
  approve,
  authorizationExpires,
  bankReturns,
  batchTakes,
  decline,
  noticeOfChange,
  processorBatchClosed,
  toCapture,
  toVoid,
} from '../testing/commands.testing.js';
import { an, given } from '../testing/given-when-then.testing.js';
import {
  AUTHORIZATION_EXPIRES,
  auth,
  bankReturned,
  batched,
  captureRequested,
  captured,
  declined,
  expired,
  notExecuted,
  notSent,
  refundRequested,
  refunded,
  requested,
  reversalRequested,
  reversed,
  sale,
  submitted,
  trx,
  voidRequested,
  voided,
} from '../testing/histories.testing.js';

const bank = { channel: 'Ach' as const };
const justBefore = new Date(Date.parse(AUTHORIZATION_EXPIRES) - 1).toISOString();

describe('expiry of an authorization', () => {
  it('reverses the open amount with one of the service’s own operation numbers', () => {
    given(auth(1000), captured(1, 400))
      .when(authorizationExpires())
      .then(
        an('AuthorizationExpired', { operationId: trx(0), amount: 600 }),
        an('ReversalRequested', {
          operationId: trx(960),
          originalOperationId: trx(0),
          originalTry: 1,
          amount: 600,
          cause: 'AuthorizationExpired',
        }),
        an('TryRequested', { operationId: trx(960), executedAs: 'Reverse', amount: 600 }),
      );
  });

  it('comes at `expiresAt`, not before, and not if nothing is open', () => {
    given(auth(1000))
      .when(authorizationExpires({ at: justBefore }))
      .thenNothing();
    given(auth(1000), captured(1, 1000)).when(authorizationExpires()).thenNothing();
    given(auth(1000), voided(1, 1000)).when(authorizationExpires()).thenNothing();
    given(sale(1000)).when(authorizationExpires()).thenNothing();
    given(requested({ amount: 1000, kind: 'Auth' }), declined(0))
      .when(authorizationExpires())
      .thenNothing();
  });

  it('is rejected while an operation on it has no outcome', () => {
    const running = given(auth(1000), captureRequested(1, 400));
    running.when(authorizationExpires()).thenRejected('OriginalUndecided');
    running
      .when(decline(10, { of: 1 }))
      .and.when(authorizationExpires())
      .then(an('AuthorizationExpired', { amount: 1000 }), an('ReversalRequested'), an('TryRequested'));
  });

  it('is recorded once', () => {
    given(auth(1000), expired(1000), reversalRequested(960, 1000)).when(authorizationExpires()).thenNothing();
    given(auth(1000), expired(1000), reversalRequested(960, 1000), reversed(960, 1000))
      .when(authorizationExpires())
      .thenNothing();
  });

  it.each([
    ['never left', notSent(960)],
    ['was never executed', notExecuted(960)],
  ])('whose reversal %s requests another reversal', (_title, end) => {
    given(auth(1000), expired(1000), reversalRequested(960, 1000), end)
      .when(authorizationExpires())
      .then(an('ReversalRequested', { operationId: trx(961), amount: 1000 }), an('TryRequested'));
  });

  it('whose reversal was declined raises a flag', () => {
    const failed = given(auth(1000), expired(1000), reversalRequested(960, 1000)).when(
      decline(10, { of: 960 }),
    );
    expect(failed.and.flags()).toEqual(['ReversalFailed']);
    failed.and.when(authorizationExpires()).thenNothing();
  });

  it('is never turned into a refund', () => {
    given(auth(1000), expired(1000), reversalRequested(960, 1000))
      .when(processorBatchClosed({ of: 960 }))
      .then(an('Declined', { responseCode: 20 }));
  });

  it.each([
    ['runs', []],
    ['happened', [reversed(960, 1000)]],
    ['never left', [notSent(960)]],
    ['was declined', [declined(960)]],
  ])('declines captures and voids with 10, if its reversal %s', (_title, end) => {
    const over = given(auth(1000), expired(1000), reversalRequested(960, 1000), end);
    for (const amount of [{}, { amount: 400 }, { amount: 1001 }]) {
      over.when(toCapture(amount)).then(an('CaptureRequested'), an('Declined', { responseCode: 10 }));
      over.when(toVoid(amount)).then(an('VoidRequested'), an('Declined', { responseCode: 10 }));
    }
  });

  it('does not change the operation numbers of clients', () => {
    given(auth(1000), expired(1000), reversalRequested(960, 1000), reversed(960, 1000))
      .when(toCapture())
      .then(an('CaptureRequested', { operationId: trx(1) }), an('Declined'));
  });
});

describe('a batch', () => {
  it('takes a sale or capture minus its voids', () => {
    given(sale(1000))
      .when(batchTakes())
      .then(an('Batched', { operationId: trx(0), batchId: 'bat_1', amount: 1000 }));
    given(sale(1000, 600), voided(1, 100), refunded(2, 200))
      .when(batchTakes())
      .then(an('Batched', { amount: 300 }));
    given(auth(1000), captured(1, 400))
      .when(batchTakes(1))
      .then(an('Batched', { operationId: trx(1), amount: 400 }));
  });

  it('takes refunds as negative amounts, and none that was executed as a void', () => {
    given(requested({ amount: 1000, kind: 'UnreferencedRefund' }))
      .when(approve(1000))
      .and.when(batchTakes())
      .then(an('Batched', { amount: -1000 }));
    given(sale(1000), batched(0, 1000), refunded(1, 400, { executedAs: 'Refund' }))
      .when(batchTakes(1))
      .then(an('Batched', { amount: -400 }));
    given(sale(1000), refunded(1, 400)).when(batchTakes(1)).thenRejected('StepOutOfOrder');
  });

  it('takes a refund that fell back from void to refund', () => {
    given(sale(1000), refundRequested(1, 400))
      .when(processorBatchClosed({ of: 1 }))
      .and.when(approve(400, { of: 1, try: 2 }))
      .and.when(batchTakes(1))
      .then(an('Batched', { amount: -400 }));
  });

  it('leaves an item while a void or refund of it has no outcome', () => {
    for (const undecided of [voidRequested(1, 400), refundRequested(1, 400)]) {
      given(sale(1000), undecided)
        .when(batchTakes())
        .then(an('LeftForNextBatch', { operationId: trx(0), batchId: 'bat_1', closing: 1, heldBy: trx(1) }));
    }
  });

  it('that left an item never takes it in the same closing, for any outcome of the void', () => {
    const left = given(sale(1000), voidRequested(1, 400)).when(batchTakes()).and;
    for (const after of [left, left.when(decline(10, { of: 1 })).and]) {
      after.when(batchTakes()).thenNothing();
    }
    const decided = left.when(approve(400, { of: 1 })).and;
    decided.when(batchTakes()).thenNothing();
    decided.when(batchTakes(0, { closing: 2 })).then(an('Batched', { batchId: 'bat_1', amount: 600 }));
    decided.when(batchTakes(0, { batchId: 'bat_2' })).then(an('Batched', { batchId: 'bat_2', amount: 600 }));
  });

  it('that left an item keeps it voidable and unchanged for its merchant', () => {
    const left = given(sale(1000), voidRequested(1, 400)).when(batchTakes());
    expect(left.and.operation(0)).toMatchObject({ updatedAt: given(sale(1000)).operation(0).updatedAt });
    left.and.when(toVoid({ amount: 600 })).then(an('VoidRequested'), an('TryRequested'));
  });

  it('takes each item once', () => {
    given(sale(1000), batched(0, 1000)).when(batchTakes()).thenNothing();
  });

  it('takes no authorization, void or reversal, and no operation that moved no money', () => {
    given(auth(1000)).when(batchTakes()).thenRejected('StepOutOfOrder');
    given(sale(1000), voided(1, 400)).when(batchTakes(1)).thenRejected('StepOutOfOrder');
    given(auth(1000), expired(1000), reversalRequested(960, 1000), reversed(960, 1000))
      .when(batchTakes(960))
      .thenRejected('StepOutOfOrder');
    given(requested({ amount: 1000 }))
      .when(batchTakes())
      .thenRejected('StepOutOfOrder');
    given(requested({ amount: 1000 }), declined(0))
      .when(batchTakes())
      .thenRejected('StepOutOfOrder');
    given(sale(1000), voided(1, 1000)).when(batchTakes()).thenRejected('StepOutOfOrder');
    given(sale(1000)).when(batchTakes(7)).thenRejected('OriginalNotFound');
  });

  it('takes a bank return by its id, once, as a negative amount', () => {
    const returned = given(sale(1000, 1000, bank), batched(0, 1000), bankReturned(1000));
    const taken = returned.when(batchTakes(0, { returnId: 'return-1' }));
    taken.then(an('Batched', { operationId: trx(0), returnId: 'return-1', amount: -1000 }));
    expect(taken.and.operation(0)).toMatchObject({
      batch: { amount: 1000 },
      returns: [{ batchId: 'bat_1' }],
    });
    taken.and.when(batchTakes(0, { returnId: 'return-1' })).thenNothing();
    given(requested({ amount: 1000, ...bank }), submitted(0), bankReturned(1000))
      .when(batchTakes(0, { returnId: 'return-1' }))
      .thenRejected('StepOutOfOrder');
    returned.when(batchTakes(0, { returnId: 'return-2' })).thenRejected('OriginalNotFound');
  });
});

describe('a bank return', () => {
  const paid = sale(1000, 1000, bank);

  it('is recorded once, even if the bank repeats it', () => {
    const returned = given(paid).when(bankReturns(1000));
    returned.then(
      an('BankReturned', { operationId: trx(0), returnId: 'return-1', code: 'R01', amount: 1000 }),
    );
    expect(returned.and.flags()).toEqual([]);
    returned.and.when(bankReturns(1000)).thenNothing();
  });

  it('needs a valid amount', () => {
    given(paid)
      .when(bankReturns(-1000))
      .thenRejected('InvalidAmount', /1 to 999999999/);
  });

  it('with another id is another return', () => {
    given(paid, bankReturned(400))
      .when(bankReturns(600, { returnId: 'return-2' }))
      .then(an('BankReturned'));
  });

  it('may come before the approval, without a flag', () => {
    const early = given(requested({ amount: 1000, ...bank }), submitted(0)).when(bankReturns(1000));
    expect(early.and.flags()).toEqual([]);
    expect(early.and.when(approve(1000, { source: 'Bank' })).and.flags()).toEqual([]);
    expect(early.and.when(decline(10, { source: 'Bank' })).and.flags()).toEqual(['OverRefunded']);
  });

  it('after a refund is recorded and raises a flag', () => {
    const after = given(paid, refunded(1, 400, { executedAs: 'Refund' })).when(bankReturns(600));
    after.then(an('BankReturned'));
    expect(after.and.flags()).toEqual(['ReturnedAfterRefund']);
  });

  it('above the open amount raises a flag', () => {
    const over = given(paid, refunded(1, 400, { executedAs: 'Refund' })).when(bankReturns(1000));
    expect(over.and.flags()).toEqual(['ReturnedAfterRefund', 'OverRefunded']);
  });

  it('of an unknown operation is rejected', () => {
    given(paid)
      .when(bankReturns(1, { of: 3 }))
      .thenRejected('OriginalNotFound');
    given().when(bankReturns(1)).thenRejected('OriginalNotFound');
  });
});

describe('a notice of change', () => {
  it('is recorded once', () => {
    const noticed = given(sale(1000, 1000, bank)).when(noticeOfChange());
    noticed.then(an('NoticeOfChangeReceived', { code: 'C01' }));
    noticed.and.when(noticeOfChange()).thenNothing();
    noticed.and.when(noticeOfChange('notice-2')).then(an('NoticeOfChangeReceived'));
    given().when(noticeOfChange()).thenRejected('OriginalNotFound');
  });
});
