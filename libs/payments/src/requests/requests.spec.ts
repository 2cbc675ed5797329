import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { requireAnswered, PaymentsTestSetup } from '../testing/payments.setup.js';

describe('clients’ requests', () => {
  let setup: PaymentsTestSetup;
  beforeEach(async () => {
    setup = await PaymentsTestSetup.open();
  });
  afterEach(() => setup.close());

  describe('reference ids', () => {
    it('find the only operation that can be the original', async () => {
      const { operation: auth } = requireAnswered(await setup.auth(1_000, { referenceId: 'order-7' }));
      const found = await setup.useCases.payments.capture(setup.context(), {
        originalReferenceId: 'order-7',
      });
      expect(requireAnswered(found).operation.originalId).toBe(auth.id);
    });

    it('that the service generated are accepted too', async () => {
      const { operation: sale } = requireAnswered(await setup.sale(1_000));
      const refund = await setup.useCases.payments.refund(setup.context(), {
        originalReferenceId: sale.referenceId ?? '',
      });
      expect(requireAnswered(refund).operation.originalId).toBe(sale.id);
    });

    it('find the approved operation after a declined one', async () => {
      requireAnswered(await setup.sale(900_051, { referenceId: 'order-8' }));
      const { operation: sale } = requireAnswered(await setup.sale(1_000, { referenceId: 'order-8' }));
      const voided = await setup.useCases.payments.void(setup.context(), { originalReferenceId: 'order-8' });
      expect(requireAnswered(voided).operation.originalId).toBe(sale.id);
    });

    it('of several operations never move money', async () => {
      await setup.sale(1_000, { referenceId: 'order-9' });
      await setup.sale(1_000, { referenceId: 'order-9' });
      const refund = await setup.useCases.payments.refund(setup.context(), {
        originalReferenceId: 'order-9',
      });
      expect(refund).toMatchObject({ kind: 'Rejected', rejection: { code: 'OriginalReferenceAmbiguous' } });
    });

    it('with more claims than the service reads are ambiguous', async () => {
      for (let round = 0; round < 51; round++) await setup.sale(900_051, { referenceId: 'often' });
      await setup.sale(1_000, { referenceId: 'often' });
      const refund = await setup.useCases.payments.refund(setup.context(), { originalReferenceId: 'often' });
      expect(refund).toMatchObject({ kind: 'Rejected', rejection: { code: 'OriginalReferenceAmbiguous' } });
    });

    it('do not find operations of another kind or merchant', async () => {
      const { operation: sale } = requireAnswered(await setup.sale(1_000, { referenceId: 'order-10' }));
      const capture = await setup.useCases.payments.capture(setup.context(), {
        originalReferenceId: 'order-10',
      });
      expect(capture).toMatchObject({ kind: 'Rejected', rejection: { code: 'OriginalReferenceNotFound' } });
      const other = { ...setup.context(), merchant: { ...setup.merchant, id: 'mer_OTHER' } };
      for (const request of [
        { originalReferenceId: 'order-10' },
        { originalReferenceId: sale.referenceId ?? '' },
      ]) {
        const refund = await setup.useCases.payments.refund(other, request);
        expect(refund).toMatchObject({ kind: 'Rejected', rejection: { code: 'OriginalReferenceNotFound' } });
      }
    });

    it('ignore the claim of a request that was never stored', async () => {
      setup.crash.crashAt('after-claim');
      await expect(setup.sale(1_000, { referenceId: 'order-11' })).rejects.toThrow();
      const { operation: sale } = requireAnswered(await setup.sale(1_000, { referenceId: 'order-11' }));
      const refund = await setup.useCases.payments.refund(setup.context(), {
        originalReferenceId: 'order-11',
      });
      expect(requireAnswered(refund).operation.originalId).toBe(sale.id);
    });
  });

  describe('terminals', () => {
    it('can be used as soon as they are added', async () => {
      const staleContext = setup.context();
      const added = await setup.useCases.provisioning.addPaymentMethod(
        { type: 'Operator', name: 'o' },
        setup.merchant.id,
        {
          type: 'Physical',
          currency: 'CAD',
          isDefault: false,
        },
      );
      const sale = await setup.useCases.payments.physicalSale(staleContext, {
        amount: 100,
        paymentMethodId: added.id,
      });
      expect(requireAnswered(sale).payment.currency).toBe('CAD');
    });

    it('must be named if there are several and no default', async () => {
      const { provisioning, authentication, payments } = setup.useCases;
      const actor = { type: 'Operator', name: 'o' } as const;
      const {
        name,
        currencies,
        timeZone,
        cutOff,
        locale,
        fundingType,
        managedWebhooks,
        unreferencedRefunds,
      } = setup.merchant;
      const settings = {
        name,
        currencies,
        timeZone,
        cutOff,
        locale,
        fundingType,
        managedWebhooks,
        unreferencedRefunds,
      };
      const merchant = await provisioning.createMerchant(actor, settings);
      const request = async () =>
        payments.physicalSale(
          { ...setup.context(), merchant: (await authentication.findMerchant(merchant.id)) ?? merchant },
          { amount: 100 },
        );
      expect(await request()).toMatchObject({ rejection: { code: 'PaymentMethodRequired' } });
      await provisioning.addPaymentMethod(actor, merchant.id, {
        type: 'Physical',
        currency: 'USD',
        isDefault: false,
      });
      expect((await request()).kind).toBe('Answered');
      await provisioning.addPaymentMethod(actor, merchant.id, {
        type: 'Physical',
        currency: 'USD',
        isDefault: false,
      });
      setup.clock.monotonic += 3_000;
      expect(await request()).toMatchObject({ rejection: { code: 'PaymentMethodRequired' } });
    });
  });

  describe('unreferenced refunds', () => {
    const refund = (amount: number) =>
      setup.useCases.payments.unreferencedPhysicalRefund(setup.context(), { amount });

    it('stay within the daily limit if they are concurrent', async () => {
      const results = [];
      for (let index = 0; index < 6; index++) await setup.addTerminal('USD', false);
      const terminals = setup.merchant.paymentMethods.filter(({ currency }) => currency === 'USD');
      for (const { id } of terminals) {
        results.push(
          setup.useCases.payments.unreferencedPhysicalRefund(setup.context(), {
            amount: 3_000,
            paymentMethodId: id,
          }),
        );
      }
      const kinds = (await Promise.all(results)).map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind === 'Answered')).toHaveLength(3);
      expect(setup.chargedTotal()).toBe(-9_000);
    });

    it('release their amount if they were not sent', async () => {
      setup.processor.inject('unreferencedRefund', 'NotSent');
      expect((await refund(10_000)).kind).toBe('NotSent');
      expect((await refund(10_000)).kind).toBe('Answered');
      expect(await refund(1)).toMatchObject({
        rejection: { code: 'DailyLimitReached', details: 'received 1, left today 0' },
      });
    });

    it('count for the day in the merchant’s time zone', async () => {
      expect((await refund(10_000)).kind).toBe('Answered');
      setup.clock.pass(13 * 3_600_000); // 23:00 in New York
      expect(await refund(1)).toMatchObject({ rejection: { code: 'DailyLimitReached' } });
      setup.clock.pass(3_600_000);
      expect((await refund(10_000)).kind).toBe('Answered');
    });

    it('release their amount after a crash, when the resolver closes them as not executed', async () => {
      setup.crash.crashAt('after-request');
      await expect(refund(10_000)).rejects.toThrow();
      setup.start();
      expect(await refund(1)).toMatchObject({ rejection: { code: 'DailyLimitReached' } });
      await setup.untilResolved();
      expect((await refund(10_000)).kind).toBe('Answered');
    });
  });

  it('on one payment never exceed its amount if they are concurrent, and rejections give the reason', async () => {
    const { operation: sale } = requireAnswered(await setup.sale(1_000));
    const refund = (amount: number) =>
      setup.useCases.payments.refund(setup.context(), { originalTransactionId: sale.id, amount });
    const results = await Promise.all(Array.from({ length: 20 }, () => refund(300)));
    const rejections = results.flatMap((result) =>
      result.kind === 'Rejected' ? [result.rejection.code] : [],
    );
    expect(results.filter(({ kind }) => kind === 'Answered').length).toBeLessThanOrEqual(3);
    expect(results.every(({ kind }) => ['Answered', 'Rejected', 'Contended'].includes(kind))).toBe(true);
    for (const code of rejections) expect(['AmountHeld', 'AmountAboveOpenCapture']).toContain(code);
    expect(setup.chargedTotal()).toBeGreaterThanOrEqual(100);
  });
});
