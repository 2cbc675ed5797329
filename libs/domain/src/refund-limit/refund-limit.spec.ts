import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { formatOperationId } from '../shared/ids.js';
import { codecContract } from '../shared/testing/codec-contract.testing.js';
import {
  foldRefundLimit,
  noReservedRefunds,
  refundLimitCodec,
  refundLimitStream,
  releaseRefund,
  reserveRefund,
  type RefundLimitEvent,
} from './refund-limit.js';

const at = '2026-03-01T12:00:00.000Z';
const trx = (number: number) =>
  formatOperationId({ category: 'payment', root: '01JQ0000000000000000000', number });
const reserved = (number: number, amount: number, total: number): RefundLimitEvent => ({
  type: 'RefundLimitReserved',
  data: { at, operationId: trx(number), amount, total },
});
const reserve = (events: RefundLimitEvent[], number: number, amount: number, limit: number | undefined) =>
  reserveRefund(foldRefundLimit(events), { at, operationId: trx(number), amount, limit });
const release = (events: RefundLimitEvent[], number: number, amount: number) =>
  releaseRefund(foldRefundLimit(events), { at, operationId: trx(number), amount });

describe('the daily limit of refunds without an original', () => {
  it('can be used up to the cent, and not beyond', () => {
    const before = [reserved(1, 600, 600)];
    expect(reserve(before, 2, 400, 1000)).toMatchObject({
      events: [{ type: 'RefundLimitReserved', data: { operationId: trx(2), amount: 400, total: 1000 } }],
    });
    expect(reserve(before, 2, 401, 1000)).toMatchObject({
      kind: 'Rejected',
      rejection: { code: 'DailyLimitReached', details: 'received 401, left today 400' },
    });
  });

  it('that was lowered below the reserved total leaves nothing', () => {
    expect(reserve([reserved(1, 600, 600)], 2, 1, 500)).toMatchObject({
      rejection: { details: 'received 1, left today 0' },
    });
  });

  it('does not apply if it is absent; 0 allows nothing', () => {
    expect(reserve([], 1, 999_999_999, undefined)).toMatchObject({ kind: 'Accepted' });
    expect(reserve([], 1, 1, 0)).toMatchObject({ kind: 'Rejected' });
  });

  it('is reserved once for each operation', () => {
    expect(reserve([reserved(1, 600, 600)], 1, 600, 600)).toMatchObject({ kind: 'Accepted', events: [] });
  });

  it('releases the reserved amount once; the amount in the command is ignored', () => {
    const before = [reserved(1, 600, 600), reserved(2, 300, 900)];
    const data = { operationId: trx(1), amount: 600, total: 300 };
    expect(release(before, 1, 1)).toMatchObject({ events: [{ type: 'RefundLimitReleased', data }] });
    const released: RefundLimitEvent = { type: 'RefundLimitReleased', data: { at, ...data } };
    expect(release([...before, released], 1, 600)).toMatchObject({ events: [] });
    expect(release(before, 3, 600)).toMatchObject({ events: [] });
  });

  it('after any reservations and releases the total is the sum of the reservations and within the limit', () => {
    const step = fc.record({
      number: fc.nat({ max: 5 }),
      amount: fc.integer({ min: 1, max: 500 }),
      gives: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const events: RefundLimitEvent[] = [];
        for (const { number, amount, gives } of steps) {
          const decision = gives ? reserve(events, number, amount, 1000) : release(events, number, amount);
          if (decision.kind === 'Accepted') events.push(...decision.events);
          const { total, reserved: held } = foldRefundLimit(events);
          expect([...held.values()].reduce((sum, amount) => sum + amount, 0)).toBe(total);
          expect(total).toBeLessThanOrEqual(1000);
        }
      }),
    );
  });

  it('starts at 0, in a stream of merchant, currency and day', () => {
    expect(foldRefundLimit([])).toEqual(noReservedRefunds);
    expect(refundLimitStream('mer_1', 'USD', '2026-03-01')).toBe('refundlimit-mer_1.USD.2026-03-01');
  });
});

describe('the stored events of a refund limit', () => {
  const move = { at, operationId: trx(1), amount: 600, total: 900 };
  codecContract(refundLimitCodec, fileURLToPath(new URL('./fixtures', import.meta.url)), {
    RefundLimitReserved: move,
    RefundLimitReleased: { ...move, total: 300 },
  });
});
