import { describe, expect, it } from '@jest/globals';
import type { Channel } from '@tillstream/domain';
import { attemptCall, newKey } from '../attempt-call.js';
import { approved, type ContractSetup } from './contract.setup.js';

const CHANNELS: readonly Channel[] = ['CardPresent', 'CardNotPresent', 'Token', 'Ach', 'Eft'];

export function operationsContract(setup: ContractSetup): void {
  describe('operations', () => {
    it('a sale by card is approved, with the facts of the card', async () => {
      const answer = await setup.processor.sale(setup.byCard(1_000), attemptCall(newKey()));
      expect(answer).toMatchObject({
        ...approved(1_000),
        facts: {
          authCode: expect.any(String),
          gatewayTransactionId: expect.any(String),
          card: { cardType: expect.any(String), maskedCardNumber: expect.stringMatching(/\*.*\d{4}$/) },
        },
      });
    });

    it('a sale at a terminal is approved, and its facts name the terminal', async () => {
      const answer = await setup.processor.sale(setup.onTerminal(1_000), attemptCall(newKey()));
      expect(answer).toMatchObject({ ...approved(1_000), facts: { terminalId: setup.underTest.terminalId } });
    });

    it('an authorization is captured in parts, up to its amount', async () => {
      const original = await setup.approvedAuthorization(1_000);
      expect(await setup.processor.capture(setup.about(original, 600), attemptCall(newKey()))).toMatchObject(
        approved(600),
      );
      expect(await setup.processor.capture(setup.about(original, 401), attemptCall(newKey()))).toMatchObject({
        kind: 'Declined',
      });
      expect(await setup.processor.capture(setup.about(original, 400), attemptCall(newKey()))).toMatchObject(
        approved(400),
      );
    });

    it('a sale is voided in parts, and a further void is declined with 21', async () => {
      const original = await setup.approvedSale(1_000);
      expect(await setup.processor.void(setup.about(original, 400), attemptCall(newKey()))).toMatchObject(
        approved(400),
      );
      expect(await setup.processor.void(setup.about(original, 600), attemptCall(newKey()))).toMatchObject(
        approved(600),
      );
      expect(await setup.processor.void(setup.about(original, 1), attemptCall(newKey()))).toMatchObject({
        kind: 'Declined',
        facts: { responseCode: 21 },
      });
    });

    it('refunds never exceed what was captured', async () => {
      const original = await setup.approvedSale(1_000);
      expect(await setup.processor.refund(setup.about(original, 700), attemptCall(newKey()))).toMatchObject(
        approved(700),
      );
      expect(await setup.processor.refund(setup.about(original, 301), attemptCall(newKey()))).toMatchObject({
        kind: 'Declined',
      });
    });

    it('an unreferenced refund needs no original', async () => {
      const answer = await setup.processor.unreferencedRefund(setup.byCard(500), attemptCall(newKey()));
      expect(answer).toMatchObject(approved(500));
    });

    it('a follow-up of an unknown key is declined with 20', async () => {
      const answer = await setup.processor.refund(setup.about(newKey(), 500), attemptCall(newKey()));
      expect(answer).toMatchObject({ kind: 'Declined', facts: { responseCode: 20 } });
    });

    it('a reversal gives back the open amount of an authorization, and a whole sale', async () => {
      const original = await setup.approvedAuthorization(1_000);
      await setup.processor.capture(setup.about(original, 600), attemptCall(newKey()));
      expect(await setup.processor.reverse(setup.about(original, 400), attemptCall(newKey()))).toMatchObject(
        approved(400),
      );
      expect(await setup.processor.capture(setup.about(original, 1), attemptCall(newKey()))).toMatchObject({
        kind: 'Declined',
      });
      const sale = await setup.approvedSale(300);
      expect(await setup.processor.reverse(setup.about(sale, 300), attemptCall(newKey()))).toMatchObject(
        approved(300),
      );
    });

    it.each(CHANNELS)('the processor has capabilities for %s', (channel) => {
      const capabilities = setup.processor.capabilities(channel);
      expect(capabilities.inFlightWindowMs).toBeGreaterThanOrEqual(0);
      expect(typeof capabilities.annul).toBe('boolean');
      expect(typeof capabilities.idempotentKeys).toBe('boolean');
    });
  });
}
