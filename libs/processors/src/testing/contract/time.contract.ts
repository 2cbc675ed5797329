import { describe, expect, it } from '@jest/globals';
import type { ProcessorResponse, AttemptCall } from '../../processor.port.js';
import { attemptCall, newKey } from '../attempt-call.js';
import { approved, type ContractSetup } from './contract.setup.js';

/** No request is sent late, and no late response is lost. */
export function timeContract(setup: ContractSetup): void {
  describe('time', () => {
    const sends: [string, (key: string) => Promise<ProcessorResponse>][] = [
      [
        'real time',
        (key) => setup.processor.sale(setup.byCard(1_000), attemptCall(key, { sendBefore: Date.now() - 1 })),
      ],
      [
        'monotonic time',
        (key) =>
          setup.processor.sale(
            setup.byCard(1_000),
            attemptCall(key, { startedAt: performance.now() - 2_001 }),
          ),
      ],
    ];
    it.each(sends)('nothing is sent after sendBefore has passed in %s', async (_clock, send) => {
      const key = newKey();
      expect(await send(key)).toMatchObject({ kind: 'NotSent' });
      expect(await setup.processor.inquire(setup.inquiry(key))).toEqual({ kind: 'NotFound' });
      expect(await setup.underTest.movedAmount(key)).toBe(0);
    });

    it('calls `onSent` once, before the response, and not for a request that was not sent', async () => {
      const calls: string[] = [];
      const sell = async (name: string, rest: Partial<AttemptCall>): Promise<void> => {
        const call = attemptCall(newKey(), { ...rest, onSent: () => void calls.push(`${name} sent`) });
        const { kind } = await setup.processor.sale(setup.byCard(1_000), call);
        calls.push(`${name} ${kind}`);
      };
      await sell('first', {});
      await sell('late', { sendBefore: Date.now() - 1 });
      expect(calls).toEqual(['first sent', 'first Approved', 'late NotSent']);
    });

    setup.itWith('late')('a response after the deadline goes to `onLateResponse`, and is found', async () => {
      const { late } = setup.underTest;
      const key = newKey();
      let onLateResponse: (response: ProcessorResponse) => void = () => undefined;
      const lateResponse = new Promise<ProcessorResponse>((resolve) => (onLateResponse = resolve));
      // An adapter's timers do not keep the process alive.
      const stayAwake = setTimeout(() => undefined, late.answersAfterMs + 5_000);
      const call = attemptCall(key, { deadlineMs: 20, onLateResponse });
      expect(await setup.processor.sale(setup.byCard(late.amount), call)).toEqual({ kind: 'NoAnswer' });
      const answer = await lateResponse;
      clearTimeout(stayAwake);
      expect(answer).toMatchObject(approved(late.amount));
      expect(await setup.processor.inquire(setup.inquiry(key))).toEqual({ kind: 'Found', answer });
    });
  });
}
