import { describe, expect, it } from '@jest/globals';
import { attemptCall, newKey } from '../attempt-call.js';
import type { ContractSetup } from './contract.setup.js';

/** A key executes at most once. */
export function keysContract(setup: ContractSetup): void {
  describe('keys', () => {
    it('a repeated key executes once and gets the first answer', async () => {
      const key = newKey();
      const first = await setup.processor.sale(setup.byCard(1_000), attemptCall(key));
      expect(await setup.processor.sale(setup.byCard(1_000), attemptCall(key))).toEqual(first);
      expect(await setup.underTest.movedAmount(key)).toBe(1_000);
    });

    it('20 sends of a key at once, through two adapters, execute once', async () => {
      const key = newKey();
      const adapters = [setup.processor, setup.underTest.connect()];
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          (adapters[n % 2] ?? setup.processor).sale(setup.byCard(1_000), attemptCall(key)),
        ),
      );
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
      expect(await setup.underTest.movedAmount(key)).toBe(1_000);
    });

    it('20 captures at once never exceed the authorization', async () => {
      const original = await setup.approvedAuthorization(1_000);
      const adapters = [setup.processor, setup.underTest.connect()];
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          (adapters[n % 2] ?? setup.processor).capture(setup.about(original, 300), attemptCall(newKey())),
        ),
      );
      expect(answers.filter((answer) => answer.kind === 'Approved')).toHaveLength(3);
    });

    it('a key repeated after a restart gets the first answer', async () => {
      const key = newKey();
      const first = await setup.processor.sale(setup.byCard(1_000), attemptCall(key));
      await setup.restart();
      expect(await setup.processor.sale(setup.byCard(1_000), attemptCall(key))).toEqual(first);
      expect(await setup.underTest.movedAmount(key)).toBe(1_000);
    });

    it('a repeated key gets a decline again', async () => {
      const [key, original] = [newKey(), await setup.approvedSale(100)];
      const first = await setup.processor.refund(setup.about(original, 200), attemptCall(key));
      expect(first.kind).toBe('Declined');
      expect(await setup.processor.refund(setup.about(original, 100), attemptCall(key))).toEqual(first);
      expect(await setup.underTest.movedAmount(key)).toBe(0);
    });
  });
}

export function inquiriesContract(setup: ContractSetup): void {
  describe('inquiries', () => {
    it('an inquiry finds the response', async () => {
      const key = newKey();
      const answer = await setup.processor.sale(setup.byCard(1_000), attemptCall(key));
      expect(await setup.processor.inquire(setup.inquiry(key))).toEqual({ kind: 'Found', answer });
    });

    it('an inquiry of a key that never arrived executes nothing', async () => {
      const key = newKey();
      expect(await setup.processor.inquire(setup.inquiry(key))).toEqual({ kind: 'NotFound' });
      expect(await setup.underTest.movedAmount(key)).toBe(0);
    });

    it('after an annulment the key is never executed', async () => {
      const key = newKey();
      expect(await setup.processor.annul(setup.inquiry(key))).toEqual({ kind: 'Annulled' });
      await setup.restart();
      const answer = await setup.processor.sale(setup.byCard(1_000), attemptCall(key));
      expect(answer).toMatchObject({ kind: 'Declined' });
      expect(await setup.processor.annul(setup.inquiry(key))).toEqual({ kind: 'Annulled' });
      expect(await setup.underTest.movedAmount(key)).toBe(0);
    });

    it('an annulment after the execution returns its response and changes nothing', async () => {
      const key = newKey();
      const answer = await setup.processor.sale(setup.byCard(1_000), attemptCall(key));
      expect(await setup.processor.annul(setup.inquiry(key))).toEqual({ kind: 'AlreadyExecuted', answer });
      expect(await setup.underTest.movedAmount(key)).toBe(1_000);
    });

    it("a terminal's last transaction is found by its key", async () => {
      const key = newKey();
      const answer = await setup.processor.sale(setup.onTerminal(1_000), attemptCall(key));
      expect(await setup.processor.lastTransaction(setup.underTest.terminalId, setup.inquiry(key))).toEqual({
        kind: 'Found',
        answer,
      });
      expect(
        await setup.processor.lastTransaction(setup.underTest.terminalId, setup.inquiry(newKey())),
      ).toEqual({
        kind: 'NotFound',
      });
    });
  });
}
