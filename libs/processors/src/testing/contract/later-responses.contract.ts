import { describe, expect } from '@jest/globals';
import type { ProcessorInbox, ProcessorNotice } from '../../processor.inbox.js';
import type { ProcessorResponse } from '../../processor.port.js';
import { attemptCall, newKey } from '../attempt-call.js';
import { approved, type ContractSetup } from './contract.setup.js';

const WITHIN_MS = 10_000;

/** A bank, or a cardholder who is verified, may take days: meanwhile an inquiry says so, and in the end what came of it. */
export function laterResponsesContract(stage: ContractSetup): void {
  const first = {
    submitted: { kind: 'Submitted', facts: expect.objectContaining({ responseCode: 57 }) },
    challenged: {
      kind: 'ChallengeRequired',
      challengeId: expect.stringMatching(/^.{1,200}$/),
      redirectUrl: expect.stringMatching(/^https:\/\//),
      expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    },
  };
  describe.each(['submitted', 'challenged'] as const)('answers that come later: %s', (part) => {
    const itWithPart = stage.itWith(part);
    const sent = async (): Promise<{ readonly key: string; readonly answer: ProcessorResponse }> => {
      const key = newKey();
      const answer = await stage.processor.sale(stage.byCard(stage.underTest[part].amount), attemptCall(key));
      expect(answer).toMatchObject(first[part]);
      return { key, answer };
    };

    itWithPart('an inquiry and a repeat say the same meanwhile, after a restart too', async () => {
      const { key, answer } = await sent();
      for (const restarted of [false, true]) {
        if (restarted) await stage.restart();
        expect(await stage.processor.inquire(stage.inquiry(key))).toEqual({ kind: 'Found', answer });
        const again = stage.processor.sale(stage.byCard(stage.underTest[part].amount), attemptCall(key));
        expect(await again).toEqual(answer);
      }
      expect(await stage.underTest.movedAmount(key)).toBe(0);
    });

    itWithPart('an annulment changes nothing: the processor has it', async () => {
      const { key, answer } = await sent();
      expect(await stage.processor.annul(stage.inquiry(key))).toEqual({ kind: 'AlreadyExecuted', answer });
      await stage.underTest[part].settle(key, 'Approved');
      expect(await stage.underTest.movedAmount(key)).toBe(stage.underTest[part].amount);
    });

    itWithPart('an inquiry finds an approval, and a decline', async () => {
      const { amount, settle } = stage.underTest[part];
      const [yes, no] = [await sent(), await sent()];
      await settle(yes.key, 'Approved');
      await settle(no.key, 'Declined');
      expect(await stage.processor.inquire(stage.inquiry(yes.key))).toMatchObject({
        kind: 'Found',
        answer: approved(amount),
      });
      expect(await stage.processor.inquire(stage.inquiry(no.key))).toMatchObject({
        kind: 'Found',
        answer: { kind: 'Declined' },
      });
      expect([await stage.underTest.movedAmount(yes.key), await stage.underTest.movedAmount(no.key)]).toEqual(
        [amount, 0],
      );
    });
  });
}

/** What a processor says on its own is acknowledged when it is stored, and not before. */
export function noticesContract(stage: ContractSetup): void {
  describe('notices', () => {
    const itWithNotices = stage.itWith('notices', 'submitted');
    const settled = async (): Promise<string> => {
      const key = newKey();
      await stage.processor.sale(stage.byCard(stage.underTest.submitted.amount), attemptCall(key));
      await stage.underTest.submitted.settle(key, 'Approved');
      return key;
    };
    const until = async (holds: () => Promise<boolean> | boolean): Promise<void> => {
      const end = performance.now() + WITHIN_MS;
      while (!(await holds())) {
        if (performance.now() > end) throw new Error(`not within ${WITHIN_MS} ms`);
        await new Promise((resume) => setTimeout(resume, 5));
      }
    };
    const none = async (): Promise<boolean> => (await stage.underTest.notices.unacknowledged()) === 0;
    const inboxOf = (take: (time: number) => 'Stored' | 'Unknown' | 'Rejected') => {
      const received: ProcessorNotice[] = [];
      const inbox: ProcessorInbox = {
        receive: async (_processor, notice) => {
          received.push(notice);
          const taken = take(received.length);
          if (taken === 'Rejected') throw new Error('the store is full');
          return taken;
        },
      };
      return { inbox, received };
    };

    itWithNotices(
      'one has the key of its attempt, the answer that an inquiry finds, and no card',
      async () => {
        const { inbox, received } = inboxOf(() => 'Stored');
        const key = await settled();
        const notices = stage.underTest.notices.connect();
        notices.listen(inbox);
        await until(none);
        await notices.stop();
        const found = await stage.processor.inquire(stage.inquiry(key));
        expect(received).toEqual([
          {
            id: expect.stringMatching(/^.{1,200}$/),
            key,
            content: { kind: 'Answered', answer: found.kind === 'Found' && found.answer },
          },
        ]);
        expect(JSON.stringify(received)).not.toContain(stage.underTest.card.number);
      },
    );

    itWithNotices('one that was not stored comes again with the same id', async () => {
      const { inbox, received } = inboxOf((time) => (time < 3 ? 'Rejected' : 'Stored'));
      await settled();
      const notices = stage.underTest.notices.connect();
      notices.listen(inbox);
      await until(none);
      await notices.stop();
      expect(received).toHaveLength(3);
      expect(new Set(received.map(({ id }) => id)).size).toBe(1);
    });

    itWithNotices('one about an attempt of another is acknowledged', async () => {
      const { inbox, received } = inboxOf(() => 'Unknown');
      await settled();
      const notices = stage.underTest.notices.connect();
      notices.listen(inbox);
      await until(none);
      await notices.stop();
      expect(received).toHaveLength(1);
    });

    itWithNotices('none is handed in before the service listens, nor after it stopped', async () => {
      const { inbox, received } = inboxOf(() => 'Stored');
      const notices = stage.underTest.notices.connect();
      notices.listen(inbox);
      await notices.stop();
      await settled();
      await new Promise((resume) => setTimeout(resume, 100));
      expect([received, await stage.underTest.notices.unacknowledged()]).toEqual([[], 1]);
    });
  });
}
