import type { PaymentState } from '../payment.state.js';
import { batchTakes, chargesBack } from '../testing/commands.testing.js';
import { an, given } from '../testing/given-when-then.testing.js';
import { batched, declined, hours, refunded, requested, sale, trx } from '../testing/histories.testing.js';
import { chargeBack } from './reversals-and-returns.decide.js';

const bank = { channel: 'Ach' as const };

describe('a chargeback', () => {
  it('is recorded once, and does not change the refundable amount', () => {
    const disputed = given(sale(1000)).when(chargesBack(1000));
    disputed.then(an('ChargebackReceived', { chargebackId: 'chargeback-1', amount: 1000 }));
    disputed.and.when(chargesBack(1000)).thenNothing();
    disputed.and.when(chargesBack(200, { chargebackId: 'chargeback-2' })).then(an('ChargebackReceived'));
    expect(disputed.and.flags()).toEqual([]);
    given().when(chargesBack(1)).thenRejected('OriginalNotFound');
  });
});

describe('a chargeback that an operator reports', () => {
  const reported =
    (amount: number, of = 0) =>
    (state: PaymentState) =>
      chargeBack(state, {
        at: hours(1),
        operationId: trx(of),
        chargebackId: 'cbk_1',
        reason: '10.4',
        amount,
      });

  it('is recorded once, up to the amount of an approved sale', () => {
    const disputed = given(sale(1000)).when(reported(1000));
    disputed.then(an('ChargebackReceived', { chargebackId: 'cbk_1', amount: 1000 }));
    disputed.and.when(reported(1000)).thenNothing();
    given(sale(1000))
      .when(reported(1001))
      .thenRejected('AmountAboveOpenCapture', /1 to 1000/);
    given(sale(1000)).when(reported(0)).thenRejected('InvalidAmount');
  });

  it('is of a card’s sale or capture that was approved', () => {
    given(sale(1000)).when(reported(10, 3)).thenRejected('OriginalNotFound');
    given(sale(1000, 1000, bank))
      .when(reported(10))
      .thenRejected('WrongOriginalType');
    given(sale(1000), refunded(1, 400, { executedAs: 'Refund' }))
      .when(reported(10, 1))
      .thenRejected('WrongOriginalType');
    given(requested({ amount: 1000 }), declined(0))
      .when(reported(10))
      .thenRejected('OriginalNotApproved');
  });
});

describe('a batch', () => {
  it('takes a chargeback by its id, once, as a negative amount, also when it took the sale before', () => {
    const disputed = given(sale(1000), batched(0, 1000)).when(chargesBack(700)).and;
    const taken = disputed.when(batchTakes(0, { batchId: 'bat_2', chargebackId: 'chargeback-1' }));
    taken.then(an('Batched', { operationId: trx(0), chargebackId: 'chargeback-1', amount: -700 }));
    expect(taken.and.operation(0)).toMatchObject({
      batch: { id: 'bat_1', amount: 1000 },
      chargebacks: [{ batchId: 'bat_2' }],
      lastReturnBatchId: 'bat_2',
    });
    taken.and.when(batchTakes(0, { batchId: 'bat_3', chargebackId: 'chargeback-1' })).thenNothing();
    disputed.when(batchTakes(0, { chargebackId: 'chargeback-2' })).thenRejected('OriginalNotFound');
    disputed.when(batchTakes(0, { returnId: 'chargeback-1' })).thenRejected('OriginalNotFound');
  });
});
