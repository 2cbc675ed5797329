import { describe, expect, it } from '@jest/globals';
import type { ProcessorResponse, AttemptCall } from '../../processor.port.js';
import { attemptCall, newKey } from '../attempt-call.js';
import { approved, type ContractSetup } from './contract.setup.js';

/** Nothing is sent late, and nothing that answers late is lost. */
export function timeContract(stage: ContractSetup): void {
  describe('time', () => {
    const sends: [string, (key: string) => Promise<ProcessorResponse>][] = [
      [
        'real time',
        (key) => stage.processor.sale(stage.byCard(1_000), attemptCall(key, { sendBefore: Date.now() - 1 })),
      ],
      [
        'monotonic time',
        (key) =>
          stage.processor.sale(
            stage.byCard(1_000),
            attemptCall(key, { startedAt: performance.now() - 2_001 }),
          ),
      ],
    ];
    it.each(sends)('nothing is sent after sendBefore has passed in %s', async (_clock, send) => {
      const key = newKey();
      expect(await send(key)).toMatchObject({ kind: 'NotSent' });
      expect(await stage.processor.inquire(stage.inquiry(key))).toEqual({ kind: 'NotFound' });
      expect(await stage.underTest.movedAmount(key)).toBe(0);
    });

    it('it is told when a request has left: once, before its answer, and never of one that was not sent', async () => {
      const told: string[] = [];
      const sell = async (name: string, rest: Partial<AttemptCall>): Promise<void> => {
        const call = attemptCall(newKey(), { ...rest, onSent: () => void told.push(`${name} left`) });
        const { kind } = await stage.processor.sale(stage.byCard(1_000), call);
        told.push(`${name} ${kind}`);
      };
      await sell('first', {});
      await sell('late', { sendBefore: Date.now() - 1 });
      expect(told).toEqual(['first left', 'first Approved', 'late NotSent']);
    });

    stage.itWith('late')('an answer after the deadline is handed on, and found', async () => {
      const { late } = stage.underTest;
      const key = newKey();
      let handOn: (answer: ProcessorResponse) => void = () => undefined;
      const handedOn = new Promise<ProcessorResponse>((resolve) => (handOn = resolve));
      // Timers of an adapter keep no process awake, and so not this test.
      const stayAwake = setTimeout(() => undefined, late.answersAfterMs + 5_000);
      const call = attemptCall(key, { deadlineMs: 20, onLateResponse: handOn });
      expect(await stage.processor.sale(stage.byCard(late.amount), call)).toEqual({ kind: 'NoAnswer' });
      const answer = await handedOn;
      clearTimeout(stayAwake);
      expect(answer).toMatchObject(approved(late.amount));
      expect(await stage.processor.inquire(stage.inquiry(key))).toEqual({ kind: 'Found', answer });
    });
  });
}
