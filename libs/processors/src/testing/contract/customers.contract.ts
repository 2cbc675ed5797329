import { expect, describe } from '@jest/globals';
import type { PaymentRequest } from '../../processor.port.js';
import { attemptCall, newKey } from '../attempt-call.js';
import { approved, type ContractSetup } from './contract.setup.js';

/** A terminal may wait for its customer for minutes: the call waits along, and its key can be asked about meanwhile. */
export function customersContract(stage: ContractSetup): void {
  describe('customers', () => {
    const itWithCustomer = stage.itWith('customer');
    const request = (terminalId: string): PaymentRequest => ({ ...stage.onTerminal(1_000), terminalId });

    /** A sale that waits for its customer, sent with a deadline of its own. */
    const begun = async (key: string, deadlineMs = 20_000) => {
      const { customer } = stage.underTest;
      // Timers of an adapter keep no process awake, and so not this test.
      const stayAwake = setTimeout(() => undefined, 25_000);
      const sale = stage.processor.sale(request(customer.terminalId), attemptCall(key, { deadlineMs }));
      const answer = sale.finally(() => clearTimeout(stayAwake));
      while (!(await customer.isAwaited())) await new Promise((resume) => setTimeout(resume, 10));
      return { customer, answer };
    };

    itWithCustomer('a sale at a terminal has the answer to what its customer did', async () => {
      const key = newKey();
      const sale = await begun(key);
      expect(await stage.processor.inquire(stage.inquiry(key))).toEqual({ kind: 'StillRunning' });
      await sale.customer.tap();
      const answer = await sale.answer;
      expect(answer).toMatchObject({ ...approved(1_000), facts: { entryMode: 'Contactless' } });
      expect(await stage.processor.inquire(stage.inquiry(key))).toEqual({ kind: 'Found', answer });
      expect(await stage.processor.lastTransaction(sale.customer.terminalId, stage.inquiry(key))).toEqual({
        kind: 'Found',
        answer,
      });
    });

    itWithCustomer('a customer who cancels moves nothing, and says so each time', async () => {
      const key = newKey();
      const sale = await begun(key);
      await sale.customer.cancel();
      const answer = await sale.answer;
      expect(answer).toMatchObject({ kind: 'CustomerCancelled', facts: { responseCode: 55 } });
      expect(await stage.processor.annul(stage.inquiry(key))).toEqual({ kind: 'AlreadyExecuted', answer });
      expect(await stage.underTest.movedAmount(key)).toBe(0);
    });

    itWithCustomer(
      'without a customer the deadline ends the call, and an inquiry finds what the customer did later',
      async () => {
        const key = newKey();
        const sale = await begun(key, 300);
        expect(await sale.answer).toEqual({ kind: 'NoAnswer' });
        expect(await stage.processor.inquire(stage.inquiry(key))).toEqual({ kind: 'StillRunning' });
        await stage.restart();
        await sale.customer.tap();
        expect(await stage.processor.inquire(stage.inquiry(key))).toMatchObject({ kind: 'Found' });
        expect(await stage.underTest.movedAmount(key)).toBe(1_000);
      },
    );

    itWithCustomer('an annulment while the customer is waited for ends it for good', async () => {
      const key = newKey();
      const sale = await begun(key);
      expect(await stage.processor.annul(stage.inquiry(key))).toEqual({ kind: 'Annulled' });
      expect(await sale.customer.isAwaited()).toBe(false);
      expect(await sale.answer).toMatchObject({ kind: 'Declined' });
      expect(await stage.underTest.movedAmount(key)).toBe(0);
    });
  });
}
