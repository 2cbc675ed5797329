import { localDay, RefundLimits } from './refund-limits.js';
import { serviceActor } from '../stream-repository/event-metadata.js';
import { newCommandId } from '../identifiers.js';
import { formatOperationId, type OperationId } from '@tillstream/domain';
import { requireOperationId, PaymentsTestSetup } from '../testing/payments.setup.js';

let setup: PaymentsTestSetup;
beforeEach(async () => {
  setup = await PaymentsTestSetup.open();
});
afterEach(() => setup.close());

const cause = () => ({ merchantId: setup.merchant.id, actor: serviceActor, causationId: newCommandId() });
const trx = (number: number): OperationId =>
  formatOperationId({ category: 'payment', root: String(number).padStart(23, '0'), number: 0 });
const refund = (amount: number, module = setup.useCases, more: object = {}) =>
  module.payments.unreferencedPhysicalRefund(setup.context(), { amount, ...more });
/** The details of a rejection: what is left of the merchant's daily limit of 10,000 cents. */
const leftToday = async () => {
  const result = await refund(999_999);
  if (result.kind !== 'Rejected') throw new Error(result.kind);
  const { rejection } = result;
  return 'details' in rejection ? rejection.details : undefined;
};

describe('the daily limit of unreferenced refunds', () => {
  it('is never exceeded by concurrent requests on several instances', async () => {
    const limits = [1, 2, 3].map(() => new RefundLimits(setup));
    const at = new Date(setup.clock.now()).toISOString();
    const refunds = Array.from({ length: 30 }, (_, n) => ({
      operationId: trx(n),
      amount: 700,
      currency: 'USD' as const,
      at,
    }));
    const rejections = await Promise.all(
      refunds.map((reserved, n) =>
        (limits[n % 3] as RefundLimits).reserve(setup.merchant, reserved, cause()),
      ),
    );
    expect(rejections.filter((rejection) => rejection === undefined)).toHaveLength(14);
    expect(rejections.find((rejection) => rejection)?.details).toBe('received 700, left today 200');
  });

  it('is separate for each currency', async () => {
    const mobile = await setup.addTerminal('CAD', false);
    expect((await refund(10_000)).kind).toBe('Answered');
    expect((await refund(10_000, setup.useCases, { paymentMethodId: mobile.id })).kind).toBe('Answered');
    expect((await refund(1, setup.useCases, { paymentMethodId: mobile.id })).kind).toBe('Rejected');
  });

  it('counts a refund with an unknown outcome until it is closed as not executed', async () => {
    setup.processor.inject('unreferencedRefund', 'NoAnswerBefore');
    const unknown = await refund(6_000);
    expect(unknown.kind).toBe('Interrupted');
    expect(await leftToday()).toBe('received 999999, left today 4000');
    await setup.untilResolved();
    expect((await setup.operation(requireOperationId(unknown))).progress.status).toBe('NotExecuted');
    expect(await leftToday()).toBe('received 999999, left today 10000');
  });

  it('counts a refund with an unknown outcome that was executed', async () => {
    setup.processor.inject('unreferencedRefund', 'NoAnswerAfter');
    const unknown = await refund(6_000);
    await setup.untilResolved();
    expect((await setup.operation(requireOperationId(unknown))).progress.status).toBe('Approved');
    expect(await leftToday()).toBe('received 999999, left today 4000');
  });

  it('is released for the day of the request, not for the day of its end', async () => {
    setup.clock.pass(13.9 * 3_600_000); // 23:54 in New York
    setup.processor.inject('unreferencedRefund', 'NoAnswerBefore');
    await refund(6_000);
    setup.clock.pass(3_600_000);
    expect((await refund(10_000)).kind).toBe('Answered');
    await setup.untilResolved();
    expect((await refund(1)).kind).toBe('Rejected');
  });

  it('does not count a refund that the store refused, and sends nothing', async () => {
    setup.store.inject({ kind: 'Unavailable' }, { when: ({ stream }) => stream.startsWith('refundlimit-') });
    expect((await refund(1_000)).kind).toBe('NotStored');
    setup.store.inject({ kind: 'Unavailable' }, { when: ({ stream }) => stream.startsWith('payment-') });
    expect((await refund(1_000)).kind).toBe('NotStored');
    expect(setup.processor.sent).toEqual([]);
    expect(await leftToday()).toBe('received 999999, left today 10000');
  });

  it('is reserved before the refund is requested', async () => {
    await refund(1_000);
    const streams = setup.store.appends.map(({ stream }) => stream.slice(0, stream.indexOf('-')));
    expect(streams.slice(-3)).toEqual(['refundlimit', 'payment', 'payment']);
    for (const { stream, expected } of setup.store.appends) {
      if (stream.startsWith('refundlimit-')) expect(expected).not.toBe('any');
    }
  });
});

describe('a local day', () => {
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
