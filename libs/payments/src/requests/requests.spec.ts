import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { requireAnswered, PaymentsTestSetup } from '../testing/payments.setup.js';

describe('requests of clients', () => {
  let stage: PaymentsTestSetup;
  beforeEach(async () => {
    stage = await PaymentsTestSetup.open();
  });
  afterEach(() => stage.close());

  describe('reference ids', () => {
    it('find the one operation that can be the original', async () => {
      const { operation: auth } = requireAnswered(await stage.auth(1_000, { referenceId: 'order-7' }));
      const found = await stage.useCases.payments.capture(stage.context(), {
        originalReferenceId: 'order-7',
      });
      expect(requireAnswered(found).operation.originalId).toBe(auth.id);
    });

    it('that were generated are accepted too', async () => {
      const { operation: sale } = requireAnswered(await stage.sale(1_000));
      const refund = await stage.useCases.payments.refund(stage.context(), {
        originalReferenceId: sale.referenceId ?? '',
      });
      expect(requireAnswered(refund).operation.originalId).toBe(sale.id);
    });

    it('are not spoilt by a declined try before the approved one', async () => {
      requireAnswered(await stage.sale(900_051, { referenceId: 'order-8' }));
      const { operation: sale } = requireAnswered(await stage.sale(1_000, { referenceId: 'order-8' }));
      const voided = await stage.useCases.payments.void(stage.context(), { originalReferenceId: 'order-8' });
      expect(requireAnswered(voided).operation.originalId).toBe(sale.id);
    });

    it('that fit several never move money', async () => {
      await stage.sale(1_000, { referenceId: 'order-9' });
      await stage.sale(1_000, { referenceId: 'order-9' });
      const refund = await stage.useCases.payments.refund(stage.context(), {
        originalReferenceId: 'order-9',
      });
      expect(refund).toMatchObject({ kind: 'Rejected', rejection: { code: 'OriginalReferenceAmbiguous' } });
    });

    it('of more claims than are read fit several', async () => {
      for (let round = 0; round < 51; round++) await stage.sale(900_051, { referenceId: 'often' });
      await stage.sale(1_000, { referenceId: 'often' });
      const refund = await stage.useCases.payments.refund(stage.context(), { originalReferenceId: 'often' });
      expect(refund).toMatchObject({ kind: 'Rejected', rejection: { code: 'OriginalReferenceAmbiguous' } });
    });

    it('of another kind or merchant are not found', async () => {
      const { operation: sale } = requireAnswered(await stage.sale(1_000, { referenceId: 'order-10' }));
      const capture = await stage.useCases.payments.capture(stage.context(), {
        originalReferenceId: 'order-10',
      });
      expect(capture).toMatchObject({ kind: 'Rejected', rejection: { code: 'OriginalReferenceNotFound' } });
      const other = { ...stage.context(), merchant: { ...stage.merchant, id: 'mer_OTHER' } };
      for (const request of [
        { originalReferenceId: 'order-10' },
        { originalReferenceId: sale.referenceId ?? '' },
      ]) {
        const refund = await stage.useCases.payments.refund(other, request);
        expect(refund).toMatchObject({ kind: 'Rejected', rejection: { code: 'OriginalReferenceNotFound' } });
      }
    });

    it('claimed by a request that was never stored are ignored', async () => {
      stage.crash.crashAt('after-claim');
      await expect(stage.sale(1_000, { referenceId: 'order-11' })).rejects.toThrow();
      const { operation: sale } = requireAnswered(await stage.sale(1_000, { referenceId: 'order-11' }));
      const refund = await stage.useCases.payments.refund(stage.context(), {
        originalReferenceId: 'order-11',
      });
      expect(requireAnswered(refund).operation.originalId).toBe(sale.id);
    });
  });

  describe('terminals', () => {
    it('that were added a moment ago can be used at once', async () => {
      const believed = stage.context();
      const added = await stage.useCases.provisioning.addPaymentMethod(
        { type: 'Operator', name: 'o' },
        stage.merchant.id,
        {
          type: 'Physical',
          currency: 'CAD',
          isDefault: false,
        },
      );
      const sale = await stage.useCases.payments.physicalSale(believed, {
        amount: 100,
        paymentMethodId: added.id,
      });
      expect(requireAnswered(sale).payment.currency).toBe('CAD');
    });

    it('are named where there is no default and more than one', async () => {
      const { provisioning, authentication, payments } = stage.useCases;
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
      } = stage.merchant;
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
          { ...stage.context(), merchant: (await authentication.findMerchant(merchant.id)) ?? merchant },
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
      stage.clock.monotonic += 3_000;
      expect(await request()).toMatchObject({ rejection: { code: 'PaymentMethodRequired' } });
    });
  });

  describe('refunds without an original', () => {
    const refund = (amount: number) =>
      stage.useCases.payments.unreferencedPhysicalRefund(stage.context(), { amount });

    it('stay within the daily limit, however many race', async () => {
      const results = [];
      for (let index = 0; index < 6; index++) await stage.addTerminal('USD', false);
      const terminals = stage.merchant.paymentMethods.filter(({ currency }) => currency === 'USD');
      for (const { id } of terminals) {
        results.push(
          stage.useCases.payments.unreferencedPhysicalRefund(stage.context(), {
            amount: 3_000,
            paymentMethodId: id,
          }),
        );
      }
      const kinds = (await Promise.all(results)).map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind === 'Answered')).toHaveLength(3);
      expect(stage.chargedTotal()).toBe(-9_000);
    });

    it('give their amount back to the limit when they did not happen', async () => {
      stage.processor.inject('unreferencedRefund', 'NotSent');
      expect((await refund(10_000)).kind).toBe('NotSent');
      expect((await refund(10_000)).kind).toBe('Answered');
      expect(await refund(1)).toMatchObject({
        rejection: { code: 'DailyLimitReached', details: 'received 1, left today 0' },
      });
    });

    it('count for the day in the merchant’s time zone', async () => {
      expect((await refund(10_000)).kind).toBe('Answered');
      stage.clock.pass(13 * 3_600_000); // 23:00 in New York
      expect(await refund(1)).toMatchObject({ rejection: { code: 'DailyLimitReached' } });
      stage.clock.pass(3_600_000);
      expect((await refund(10_000)).kind).toBe('Answered');
    });

    it('that a crash left open are given back by the resolver when they never happened', async () => {
      stage.crash.crashAt('after-request');
      await expect(refund(10_000)).rejects.toThrow();
      stage.start();
      expect(await refund(1)).toMatchObject({ rejection: { code: 'DailyLimitReached' } });
      await stage.untilResolved();
      expect((await refund(10_000)).kind).toBe('Answered');
    });
  });

  it('race on one payment and never go over, and what is refused says why', async () => {
    const { operation: sale } = requireAnswered(await stage.sale(1_000));
    const refund = (amount: number) =>
      stage.useCases.payments.refund(stage.context(), { originalTransactionId: sale.id, amount });
    const results = await Promise.all(Array.from({ length: 20 }, () => refund(300)));
    const rejections = results.flatMap((result) =>
      result.kind === 'Rejected' ? [result.rejection.code] : [],
    );
    expect(results.filter(({ kind }) => kind === 'Answered').length).toBeLessThanOrEqual(3);
    expect(results.every(({ kind }) => ['Answered', 'Rejected', 'Contended'].includes(kind))).toBe(true);
    for (const code of rejections) expect(['AmountHeld', 'AmountAboveOpenCapture']).toContain(code);
    expect(stage.chargedTotal()).toBeGreaterThanOrEqual(100);
  });
});
