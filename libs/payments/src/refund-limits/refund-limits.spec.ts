import { localDay, RefundLimits } from './refund-limits.js';
import { serviceActor } from '../stream-repository/event-metadata.js';
import { newCommandId } from '../identifiers.js';
import { formatOperationId, type OperationId } from '@tillstream/domain';
import { requireOperationId, PaymentsTestSetup } from '../testing/payments.setup.js';

let stage: PaymentsTestSetup;
beforeEach(async () => {
  stage = await PaymentsTestSetup.open();
});
afterEach(() => stage.close());

const cause = () => ({ merchantId: stage.merchant.id, actor: serviceActor, causationId: newCommandId() });
const trx = (number: number): OperationId =>
  formatOperationId({ category: 'payment', root: String(number).padStart(23, '0'), number: 0 });
const refund = (amount: number, module = stage.useCases, more: object = {}) =>
  module.payments.unreferencedPhysicalRefund(stage.context(), { amount, ...more });
/** Of the limit of 10,000 a day that the merchant of the stage has. */
const leftToday = async () => {
  const result = await refund(999_999);
  if (result.kind !== 'Rejected') throw new Error(result.kind);
  const { rejection } = result;
  return 'details' in rejection ? rejection.details : undefined;
};

describe('The daily limit of refunds without an original', () => {
  it('is never exceeded by requests that race, on several instances', async () => {
    const limits = [1, 2, 3].map(() => new RefundLimits(stage.store, stage.clock));
    const at = new Date(stage.clock.now()).toISOString();
    const asked = Array.from({ length: 30 }, (_, n) => ({
      operationId: trx(n),
      amount: 700,
      currency: 'USD' as const,
      at,
    }));
    const rejections = await Promise.all(
      asked.map((one, n) => (limits[n % 3] as RefundLimits).reserve(stage.merchant, one, cause())),
    );
    expect(rejections.filter((rejection) => rejection === undefined)).toHaveLength(14);
    expect(rejections.find((rejection) => rejection)?.details).toBe('received 700, left today 200');
  });

  it('is each currency’s own', async () => {
    const mobile = await stage.addTerminal('CAD', false);
    expect((await refund(10_000)).kind).toBe('Answered');
    expect((await refund(10_000, stage.useCases, { paymentMethodId: mobile.id })).kind).toBe('Answered');
    expect((await refund(1, stage.useCases, { paymentMethodId: mobile.id })).kind).toBe('Rejected');
  });

  it('is held by what is unknown, and given back once that is known not to have happened', async () => {
    stage.processor.inject('unreferencedRefund', 'NoAnswerBefore');
    const unknown = await refund(6_000);
    expect(unknown.kind).toBe('Interrupted');
    expect(await leftToday()).toBe('received 999999, left today 4000');
    await stage.untilResolved();
    expect((await stage.operation(requireOperationId(unknown))).progress.status).toBe('NotExecuted');
    expect(await leftToday()).toBe('received 999999, left today 10000');
  });

  it('stays used by what is unknown, and turns out to have happened', async () => {
    stage.processor.inject('unreferencedRefund', 'NoAnswerAfter');
    const unknown = await refund(6_000);
    await stage.untilResolved();
    expect((await stage.operation(requireOperationId(unknown))).progress.status).toBe('Approved');
    expect(await leftToday()).toBe('received 999999, left today 4000');
  });

  it('is given back to the day of the request, not to the day on which it ended', async () => {
    stage.clock.pass(13.9 * 3_600_000); // 23:54 in New York
    stage.processor.inject('unreferencedRefund', 'NoAnswerBefore');
    await refund(6_000);
    stage.clock.pass(3_600_000);
    expect((await refund(10_000)).kind).toBe('Answered');
    await stage.untilResolved();
    expect((await refund(1)).kind).toBe('Rejected');
  });

  it('is used up by nothing that the store did not take, and nothing of it is sent', async () => {
    stage.store.inject({ kind: 'Unavailable' }, { when: ({ stream }) => stream.startsWith('refundlimit-') });
    expect((await refund(1_000)).kind).toBe('NotStored');
    stage.store.inject({ kind: 'Unavailable' }, { when: ({ stream }) => stream.startsWith('payment-') });
    expect((await refund(1_000)).kind).toBe('NotStored');
    expect(stage.processor.sent).toEqual([]);
    expect(await leftToday()).toBe('received 999999, left today 10000');
  });

  it('is reserved before the refund is requested', async () => {
    await refund(1_000);
    const streams = stage.store.appends.map(({ stream }) => stream.slice(0, stream.indexOf('-')));
    expect(streams.slice(-3)).toEqual(['refundlimit', 'payment', 'payment']);
    for (const { stream, expected } of stage.store.appends) {
      if (stream.startsWith('refundlimit-')) expect(expected).not.toBe('any');
    }
  });
});

describe('A day', () => {
  it.each([
    ['2026-03-02T04:59:59.999Z', 'America/New_York', '2026-03-01'],
    ['2026-03-02T05:00:00.000Z', 'America/New_York', '2026-03-02'],
    ['2026-07-02T03:59:59.999Z', 'America/New_York', '2026-07-01'],
    ['2026-07-02T04:00:00.000Z', 'America/New_York', '2026-07-02'],
    ['2026-03-02T02:29:00.000Z', 'America/St_Johns', '2026-03-01'],
  ])('of %s in %s is %s', (at, timeZone, day) => {
    expect(localDay(at, timeZone)).toBe(day);
  });
});
