import { describe, expect, it } from '@jest/globals';
import type { Channel } from '@tillstream/domain';
import { attemptCall, newKey } from '../attempt-call.js';
import { approved, type ContractSetup } from './contract.setup.js';

const CHANNELS: readonly Channel[] = ['CardPresent', 'CardNotPresent', 'Token', 'Ach', 'Eft'];

/** What each operation does, and what it refuses. */
export function operationsContract(stage: ContractSetup): void {
  describe('operations', () => {
    it('a sale by card is approved, with the facts of the card', async () => {
      const answer = await stage.processor.sale(stage.byCard(1_000), attemptCall(newKey()));
      expect(answer).toMatchObject({
        ...approved(1_000),
        facts: {
          authCode: expect.any(String),
          gatewayTransactionId: expect.any(String),
          card: { cardType: expect.any(String), maskedCardNumber: expect.stringMatching(/\*.*\d{4}$/) },
        },
      });
    });

    it('a sale on a terminal is approved, and says which terminal', async () => {
      const answer = await stage.processor.sale(stage.onTerminal(1_000), attemptCall(newKey()));
      expect(answer).toMatchObject({ ...approved(1_000), facts: { terminalId: stage.underTest.terminalId } });
    });

    it('an authorization is captured in parts, up to its amount', async () => {
      const original = await stage.approvedAuthorization(1_000);
      expect(await stage.processor.capture(stage.about(original, 600), attemptCall(newKey()))).toMatchObject(
        approved(600),
      );
      expect(await stage.processor.capture(stage.about(original, 401), attemptCall(newKey()))).toMatchObject({
        kind: 'Declined',
      });
      expect(await stage.processor.capture(stage.about(original, 400), attemptCall(newKey()))).toMatchObject(
        approved(400),
      );
    });

    it('a sale is voided in parts, and once voided is 21', async () => {
      const original = await stage.approvedSale(1_000);
      expect(await stage.processor.void(stage.about(original, 400), attemptCall(newKey()))).toMatchObject(
        approved(400),
      );
      expect(await stage.processor.void(stage.about(original, 600), attemptCall(newKey()))).toMatchObject(
        approved(600),
      );
      expect(await stage.processor.void(stage.about(original, 1), attemptCall(newKey()))).toMatchObject({
        kind: 'Declined',
        facts: { responseCode: 21 },
      });
    });

    it('refunds never exceed what was captured', async () => {
      const original = await stage.approvedSale(1_000);
      expect(await stage.processor.refund(stage.about(original, 700), attemptCall(newKey()))).toMatchObject(
        approved(700),
      );
      expect(await stage.processor.refund(stage.about(original, 301), attemptCall(newKey()))).toMatchObject({
        kind: 'Declined',
      });
    });

    it('an unreferenced refund needs no original', async () => {
      const answer = await stage.processor.unreferencedRefund(stage.byCard(500), attemptCall(newKey()));
      expect(answer).toMatchObject(approved(500));
    });

    it('a follow-up of an unknown key is 20', async () => {
      const answer = await stage.processor.refund(stage.about(newKey(), 500), attemptCall(newKey()));
      expect(answer).toMatchObject({ kind: 'Declined', facts: { responseCode: 20 } });
    });

    it('a reversal takes back what is open of an authorization, and a whole sale', async () => {
      const original = await stage.approvedAuthorization(1_000);
      await stage.processor.capture(stage.about(original, 600), attemptCall(newKey()));
      expect(await stage.processor.reverse(stage.about(original, 400), attemptCall(newKey()))).toMatchObject(
        approved(400),
      );
      expect(await stage.processor.capture(stage.about(original, 1), attemptCall(newKey()))).toMatchObject({
        kind: 'Declined',
      });
      const sale = await stage.approvedSale(300);
      expect(await stage.processor.reverse(stage.about(sale, 300), attemptCall(newKey()))).toMatchObject(
        approved(300),
      );
    });

    it.each(CHANNELS)('says what it can do on %s', (channel) => {
      const capabilities = stage.processor.capabilities(channel);
      expect(capabilities.inFlightWindowMs).toBeGreaterThanOrEqual(0);
      expect(typeof capabilities.annul).toBe('boolean');
      expect(typeof capabilities.idempotentKeys).toBe('boolean');
    });
  });
}
