import { describe, expect } from '@jest/globals';
import type { ProcessorInbox, ProcessorNotice } from '../../processor.inbox.js';
import type { ProcessorResponse } from '../../processor.port.js';
import { attemptCall, newKey } from '../attempt-call.js';
import { approved, type ContractSetup } from './contract.setup.js';

const WITHIN_MS = 10_000;

/** A bank or a challenged cardholder may take days: an inquiry finds the first response, and in the end the final one. */
export function laterResponsesContract(setup: ContractSetup): void {
  const first = {
    submitted: { kind: 'Submitted', facts: expect.objectContaining({ responseCode: 57 }) },
    challenged: {
      kind: 'ChallengeRequired',
      challengeId: expect.stringMatching(/^.{1,200}$/),
      redirectUrl: expect.stringMatching(/^https:\/\//),
      expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    },
  };
  describe.each(['submitted', 'challenged'] as const)('later responses: %s', (part) => {
    const itWithPart = setup.itWith(part);
    const sendSale = async (): Promise<{ readonly key: string; readonly answer: ProcessorResponse }> => {
      const key = newKey();
      const answer = await setup.processor.sale(setup.byCard(setup.underTest[part].amount), attemptCall(key));
      expect(answer).toMatchObject(first[part]);
      return { key, answer };
    };

    itWithPart('an inquiry and a repeated key get the first response, after a restart too', async () => {
      const { key, answer } = await sendSale();
      for (const restarted of [false, true]) {
        if (restarted) await setup.restart();
        expect(await setup.processor.inquire(setup.inquiry(key))).toEqual({ kind: 'Found', answer });
        const again = setup.processor.sale(setup.byCard(setup.underTest[part].amount), attemptCall(key));
        expect(await again).toEqual(answer);
      }
      expect(await setup.underTest.movedAmount(key)).toBe(0);
    });

    itWithPart('an annulment changes nothing: the processor has the sale', async () => {
      const { key, answer } = await sendSale();
      expect(await setup.processor.annul(setup.inquiry(key))).toEqual({ kind: 'AlreadyExecuted', answer });
      await setup.underTest[part].settle(key, 'Approved');
      expect(await setup.underTest.movedAmount(key)).toBe(setup.underTest[part].amount);
    });

    itWithPart('an inquiry finds the final approval or decline', async () => {
      const { amount, settle } = setup.underTest[part];
      const [approval, decline] = [await sendSale(), await sendSale()];
      await settle(approval.key, 'Approved');
      await settle(decline.key, 'Declined');
      expect(await setup.processor.inquire(setup.inquiry(approval.key))).toMatchObject({
        kind: 'Found',
        answer: approved(amount),
      });
      expect(await setup.processor.inquire(setup.inquiry(decline.key))).toMatchObject({
        kind: 'Found',
        answer: { kind: 'Declined' },
      });
      expect(await setup.underTest.movedAmount(approval.key)).toBe(amount);
      expect(await setup.underTest.movedAmount(decline.key)).toBe(0);
    });
  });
}

/** A notice is acknowledged after it is stored, and not before. */
export function noticesContract(setup: ContractSetup): void {
  describe('notices', () => {
    const itWithNotices = setup.itWith('notices', 'submitted');
    const settleSale = async (): Promise<string> => {
      const key = newKey();
      await setup.processor.sale(setup.byCard(setup.underTest.submitted.amount), attemptCall(key));
      await setup.underTest.submitted.settle(key, 'Approved');
      return key;
    };
    const until = async (holds: () => Promise<boolean> | boolean): Promise<void> => {
      const end = performance.now() + WITHIN_MS;
      while (!(await holds())) {
        if (performance.now() > end) throw new Error(`not within ${WITHIN_MS} ms`);
        await new Promise((resume) => setTimeout(resume, 5));
      }
    };
    const allAcknowledged = async (): Promise<boolean> =>
      (await setup.underTest.notices.unacknowledged()) === 0;
    const recordingInbox = (resultOf: (count: number) => 'Stored' | 'Unknown' | 'Rejected') => {
      const received: ProcessorNotice[] = [];
      const inbox: ProcessorInbox = {
        receive: async (_processor, notice) => {
          received.push(notice);
          const result = resultOf(received.length);
          if (result === 'Rejected') throw new Error('the store is full');
          return result;
        },
      };
      return { inbox, received };
    };

    itWithNotices(
      'a notice has the key of its attempt, the response that an inquiry finds, and no card number',
      async () => {
        const { inbox, received } = recordingInbox(() => 'Stored');
        const key = await settleSale();
        const notices = setup.underTest.notices.connect();
        notices.listen(inbox);
        await until(allAcknowledged);
        await notices.stop();
        const found = await setup.processor.inquire(setup.inquiry(key));
        expect(received).toEqual([
          {
            id: expect.stringMatching(/^.{1,200}$/),
            key,
            content: { kind: 'Answered', answer: found.kind === 'Found' && found.answer },
          },
        ]);
        expect(JSON.stringify(received)).not.toContain(setup.underTest.card.number);
      },
    );

    itWithNotices('a notice that was not stored comes again with the same id', async () => {
      const { inbox, received } = recordingInbox((count) => (count < 3 ? 'Rejected' : 'Stored'));
      await settleSale();
      const notices = setup.underTest.notices.connect();
      notices.listen(inbox);
      await until(allAcknowledged);
      await notices.stop();
      expect(received).toHaveLength(3);
      expect(new Set(received.map(({ id }) => id)).size).toBe(1);
    });

    itWithNotices('a notice about an unknown attempt is acknowledged', async () => {
      const { inbox, received } = recordingInbox(() => 'Unknown');
      await settleSale();
      const notices = setup.underTest.notices.connect();
      notices.listen(inbox);
      await until(allAcknowledged);
      await notices.stop();
      expect(received).toHaveLength(1);
    });

    itWithNotices('no notice is delivered before the service listens, nor after it stopped', async () => {
      const { inbox, received } = recordingInbox(() => 'Stored');
      const notices = setup.underTest.notices.connect();
      notices.listen(inbox);
      await notices.stop();
      await settleSale();
      await new Promise((resume) => setTimeout(resume, 100));
      expect([received, await setup.underTest.notices.unacknowledged()]).toEqual([[], 1]);
    });
  });
}
