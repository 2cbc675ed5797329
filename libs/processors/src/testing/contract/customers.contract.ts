import { expect, describe } from '@jest/globals';
import type { PaymentRequest } from '../../processor.port.js';
import { attemptCall, newKey } from '../attempt-call.js';
import { approved, type ContractSetup } from './contract.setup.js';

/** A terminal may wait for its customer for minutes: the call waits too, and inquiries of its key are answered. */
export function customersContract(setup: ContractSetup): void {
  describe('customers', () => {
    const itWithCustomer = setup.itWith('customer');
    const request = (terminalId: string): PaymentRequest => ({ ...setup.onTerminal(1_000), terminalId });

    /** Starts a sale, and resolves when the terminal waits for its customer. */
    const startSale = async (key: string, deadlineMs = 20_000) => {
      const { customer } = setup.underTest;
      // An adapter's timers do not keep the process alive.
      const stayAwake = setTimeout(() => undefined, 25_000);
      const sale = setup.processor.sale(request(customer.terminalId), attemptCall(key, { deadlineMs }));
      const answer = sale.finally(() => clearTimeout(stayAwake));
      while (!(await customer.isAwaited())) await new Promise((resume) => setTimeout(resume, 10));
      return { customer, answer };
    };

    itWithCustomer('a sale at a terminal gets its response after the customer has tapped', async () => {
      const key = newKey();
      const sale = await startSale(key);
      expect(await setup.processor.inquire(setup.inquiry(key))).toEqual({ kind: 'StillRunning' });
      await sale.customer.tap();
      const answer = await sale.answer;
      expect(answer).toMatchObject({ ...approved(1_000), facts: { entryMode: 'Contactless' } });
      expect(await setup.processor.inquire(setup.inquiry(key))).toEqual({ kind: 'Found', answer });
      expect(await setup.processor.lastTransaction(sale.customer.terminalId, setup.inquiry(key))).toEqual({
        kind: 'Found',
        answer,
      });
    });

    itWithCustomer('a cancelled sale moves nothing, and a later query says so', async () => {
      const key = newKey();
      const sale = await startSale(key);
      await sale.customer.cancel();
      const answer = await sale.answer;
      expect(answer).toMatchObject({ kind: 'CustomerCancelled', facts: { responseCode: 55 } });
      expect(await setup.processor.annul(setup.inquiry(key))).toEqual({ kind: 'AlreadyExecuted', answer });
      expect(await setup.underTest.movedAmount(key)).toBe(0);
    });

    itWithCustomer(
      'without a customer the deadline ends the call, and an inquiry finds a later tap',
      async () => {
        const key = newKey();
        const sale = await startSale(key, 300);
        expect(await sale.answer).toEqual({ kind: 'NoAnswer' });
        expect(await setup.processor.inquire(setup.inquiry(key))).toEqual({ kind: 'StillRunning' });
        await setup.restart();
        await sale.customer.tap();
        expect(await setup.processor.inquire(setup.inquiry(key))).toMatchObject({ kind: 'Found' });
        expect(await setup.underTest.movedAmount(key)).toBe(1_000);
      },
    );

    itWithCustomer('an annulment while the terminal waits for its customer ends the sale', async () => {
      const key = newKey();
      const sale = await startSale(key);
      expect(await setup.processor.annul(setup.inquiry(key))).toEqual({ kind: 'Annulled' });
      expect(await sale.customer.isAwaited()).toBe(false);
      expect(await sale.answer).toMatchObject({ kind: 'Declined' });
      expect(await setup.underTest.movedAmount(key)).toBe(0);
    });
  });
}
