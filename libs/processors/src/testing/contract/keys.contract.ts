import { describe, expect, it } from '@jest/globals';
import { attemptCall, newKey } from '../attempt-call.js';
import type { ContractSetup } from './contract.setup.js';

/** A key executes once; what became of it can be asked, and prevented. */
export function keysContract(stage: ContractSetup): void {
  describe('keys', () => {
    it('a repeated key executes once and gets the first answer', async () => {
      const key = newKey();
      const first = await stage.processor.sale(stage.byCard(1_000), attemptCall(key));
      expect(await stage.processor.sale(stage.byCard(1_000), attemptCall(key))).toEqual(first);
      expect(await stage.underTest.movedAmount(key)).toBe(1_000);
    });

    it('20 sends of a key at once, through two adapters, execute once', async () => {
      const key = newKey();
      const adapters = [stage.processor, stage.underTest.connect()];
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          (adapters[n % 2] ?? stage.processor).sale(stage.byCard(1_000), attemptCall(key)),
        ),
      );
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
      expect(await stage.underTest.movedAmount(key)).toBe(1_000);
    });

    it('20 captures at once never exceed the authorization', async () => {
      const original = await stage.approvedAuthorization(1_000);
      const adapters = [stage.processor, stage.underTest.connect()];
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          (adapters[n % 2] ?? stage.processor).capture(stage.about(original, 300), attemptCall(newKey())),
        ),
      );
      expect(answers.filter((answer) => answer.kind === 'Approved')).toHaveLength(3);
    });

    it('a key repeated after a restart gets the first answer', async () => {
      const key = newKey();
      const first = await stage.processor.sale(stage.byCard(1_000), attemptCall(key));
      await stage.restart();
      expect(await stage.processor.sale(stage.byCard(1_000), attemptCall(key))).toEqual(first);
      expect(await stage.underTest.movedAmount(key)).toBe(1_000);
    });

    it('a decline is the answer of its key too', async () => {
      const [key, original] = [newKey(), await stage.approvedSale(100)];
      const first = await stage.processor.refund(stage.about(original, 200), attemptCall(key));
      expect(first.kind).toBe('Declined');
      expect(await stage.processor.refund(stage.about(original, 100), attemptCall(key))).toEqual(first);
      expect(await stage.underTest.movedAmount(key)).toBe(0);
    });
  });
}

export function inquiriesContract(stage: ContractSetup): void {
  describe('inquiries', () => {
    it('an inquiry finds the answer that was given', async () => {
      const key = newKey();
      const answer = await stage.processor.sale(stage.byCard(1_000), attemptCall(key));
      expect(await stage.processor.inquire(stage.inquiry(key))).toEqual({ kind: 'Found', answer });
    });

    it('an inquiry of a key that never arrived executes nothing', async () => {
      const key = newKey();
      expect(await stage.processor.inquire(stage.inquiry(key))).toEqual({ kind: 'NotFound' });
      expect(await stage.underTest.movedAmount(key)).toBe(0);
    });

    it('after an annulment the key is never executed', async () => {
      const key = newKey();
      expect(await stage.processor.annul(stage.inquiry(key))).toEqual({ kind: 'Annulled' });
      await stage.restart();
      const answer = await stage.processor.sale(stage.byCard(1_000), attemptCall(key));
      expect(answer).toMatchObject({ kind: 'Declined' });
      expect(await stage.processor.annul(stage.inquiry(key))).toEqual({ kind: 'Annulled' });
      expect(await stage.underTest.movedAmount(key)).toBe(0);
    });

    it('an annulment after the execution gives its answer and changes nothing', async () => {
      const key = newKey();
      const answer = await stage.processor.sale(stage.byCard(1_000), attemptCall(key));
      expect(await stage.processor.annul(stage.inquiry(key))).toEqual({ kind: 'AlreadyExecuted', answer });
      expect(await stage.underTest.movedAmount(key)).toBe(1_000);
    });

    it("a terminal's last transaction is found by its key", async () => {
      const key = newKey();
      const answer = await stage.processor.sale(stage.onTerminal(1_000), attemptCall(key));
      expect(await stage.processor.lastTransaction(stage.underTest.terminalId, stage.inquiry(key))).toEqual({
        kind: 'Found',
        answer,
      });
      expect(
        await stage.processor.lastTransaction(stage.underTest.terminalId, stage.inquiry(newKey())),
      ).toEqual({
        kind: 'NotFound',
      });
    });
  });
}
