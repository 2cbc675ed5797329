import { describe, expect } from '@jest/globals';
import type { Cents } from '@tillstream/domain';
import type { ProcessorInbox, ProcessorNotice } from '../../processor.inbox.js';
import { attemptCall, newKey } from '../attempt-call.js';
import { approved, type BankAccountKind, type ContractSetup } from './contract.setup.js';

const SUBMITTED = { kind: 'Submitted', facts: expect.objectContaining({ responseCode: 57 }) };
const DAY = 24;

/** A bank takes a payment at once and answers a day later; an inquiry finds the answer. */
export function bankPaymentsContract(setup: ContractSetup): void {
  const itWithBank = setup.itWith('bank');
  const pass = (hours: number): Promise<void> => setup.underTest.bank.pass(hours);
  const inquire = (key: string) => setup.processor.inquire(setup.inquiry(key));

  describe('bank payments', () => {
    itWithBank('a sale is submitted, an inquiry and a repeated key say so, and no money moves', async () => {
      const key = newKey();
      const answer = await setup.processor.sale(setup.byBank(1_000), attemptCall(key));
      const { accountType } = setup.underTest.bank.accounts.approved;
      expect(answer).toMatchObject({ ...SUBMITTED, facts: { responseCode: 57, accountType } });
      for (const restarted of [false, true]) {
        if (restarted) await setup.restart();
        expect(await inquire(key)).toEqual({ kind: 'Found', answer });
        expect(await setup.processor.sale(setup.byBank(1_000), attemptCall(key))).toEqual(answer);
        expect(await setup.processor.annul(setup.inquiry(key))).toEqual({ kind: 'AlreadyExecuted', answer });
      }
      expect(await setup.underTest.movedAmount(key)).toBe(0);
    });

    itWithBank('an inquiry finds the bank’s approval or decline after a day, and not before', async () => {
      const approval = await submittedSale(setup, 1_000);
      const decline = await submittedSale(setup, 2_000, 'declined');
      await pass(DAY - 1);
      expect(await inquire(approval)).toMatchObject({ answer: SUBMITTED });
      await pass(1);
      expect(await inquire(approval)).toMatchObject({ kind: 'Found', answer: approved(1_000) });
      expect(await inquire(decline)).toMatchObject({ kind: 'Found', answer: { kind: 'Declined' } });
      expect(await setup.underTest.movedAmount(approval)).toBe(1_000);
      expect(await setup.underTest.movedAmount(decline)).toBe(0);
    });

    itWithBank('an account that no bank has is submitted, and then declined with 14', async () => {
      const request = setup.byBank(1_000);
      const bankAccount = { ...setup.underTest.bank.accounts.approved, accountNumber: '999999999' };
      const key = newKey();
      expect(await setup.processor.sale({ ...request, bankAccount }, attemptCall(key))).toMatchObject(
        SUBMITTED,
      );
      await pass(DAY);
      expect(await inquire(key)).toMatchObject({ answer: { kind: 'Declined', facts: { responseCode: 14 } } });
    });

    itWithBank('a refund is submitted too, and moves the money when the bank approves it', async () => {
      const sale = await submittedSale(setup, 1_000);
      await pass(DAY);
      const refund = newKey();
      const answer = await setup.processor.refund(setup.aboutBank(sale, 400), attemptCall(refund));
      expect(answer).toMatchObject(SUBMITTED);
      expect(await setup.underTest.movedAmount(refund)).toBe(0);
      await pass(DAY);
      expect(await inquire(refund)).toMatchObject({ answer: approved(400) });
      expect(await setup.underTest.movedAmount(refund)).toBe(400);
    });

    itWithBank(
      'a refund before the approval, and one of more than was approved, are declined at once',
      async () => {
        const sale = await submittedSale(setup, 1_000);
        const early = await setup.processor.refund(setup.aboutBank(sale, 400), attemptCall(newKey()));
        expect(early).toMatchObject({ kind: 'Declined', facts: { responseCode: 20 } });
        await pass(DAY);
        const large = await setup.processor.refund(setup.aboutBank(sale, 1_001), attemptCall(newKey()));
        expect(large).toMatchObject({ kind: 'Declined' });
      },
    );

    itWithBank('refunds together never exceed the approved amount', async () => {
      const sale = await submittedSale(setup, 1_000);
      await pass(DAY);
      const keys = [newKey(), newKey()];
      for (const key of keys) await setup.processor.refund(setup.aboutBank(sale, 600), attemptCall(key));
      await pass(DAY);
      const moved = await Promise.all(keys.map((key) => setup.underTest.movedAmount(key)));
      expect(moved.reduce((sum, amount) => sum + amount, 0)).toBe(600);
    });

    itWithBank('a bank account can’t be authorized, captured, voided, verified or credited', async () => {
      const sale = await submittedSale(setup, 1_000);
      await pass(DAY);
      const { processor } = setup;
      const byBank = setup.byBank(1_000);
      const calls = [
        processor.authorize(byBank, attemptCall(newKey())),
        processor.unreferencedRefund(byBank, attemptCall(newKey())),
        processor.verify(byBank, attemptCall(newKey())),
        processor.capture(setup.aboutBank(sale, 1_000), attemptCall(newKey())),
        processor.void(setup.aboutBank(sale, 1_000), attemptCall(newKey())),
      ];
      for (const call of calls) expect(await call).toMatchObject({ kind: 'Declined' });
    });
  });
}

/** What the bank decides it also says in a notice. */
export function bankNoticesContract(setup: ContractSetup): void {
  const itWithBank = setup.itWith('bank');
  const pass = (hours: number): Promise<void> => setup.underTest.bank.pass(hours);
  const numbers = () =>
    Object.values(setup.underTest.bank.accounts).map(({ accountNumber }) => accountNumber);

  describe('notices of the bank', () => {
    itWithBank('nothing is delivered before it is due', async () => {
      const { inbox, received } = recordingInbox();
      await submittedSale(setup, 1_000);
      await pass(DAY - 1);
      const notices = setup.underTest.bank.connect();
      notices.listen(inbox);
      expect([await notices.deliverDue(), await notices.countDue()]).toEqual([0, 0]);
      await notices.stop();
      expect(received).toEqual([]);
    });

    itWithBank('a notice has the answer that an inquiry finds, and no account number', async () => {
      const { inbox, received } = recordingInbox();
      const key = await submittedSale(setup, 1_000);
      await pass(DAY);
      const notices = setup.underTest.bank.connect();
      notices.listen(inbox);
      expect(await notices.countDue()).toBe(1);
      expect(await notices.deliverDue()).toBe(1);
      expect(await notices.countDue()).toBe(0);
      await notices.stop();
      const found = await setup.processor.inquire(setup.inquiry(key));
      const content = { kind: 'Answered', answer: found.kind === 'Found' && found.answer };
      expect(received).toEqual([{ id: expect.stringMatching(/^.{1,200}$/), key, content }]);
      for (const number of numbers()) expect(JSON.stringify(received)).not.toContain(number);
    });

    itWithBank('a return takes the money back 72 h after the approval', async () => {
      const { inbox, received } = recordingInbox();
      const key = await submittedSale(setup, 1_000, 'returned');
      const notices = setup.underTest.bank.connect();
      notices.listen(inbox);
      await pass(DAY + 71);
      await notices.deliverDue();
      expect(received.map(({ content }) => content.kind)).toEqual(['Answered']);
      await pass(1);
      await notices.deliverDue();
      await notices.stop();
      const returnId = expect.stringMatching(/^.{1,100}$/) as unknown;
      const content = { kind: 'Returned', returnId, code: 'R01', reason: expect.any(String), amount: 1_000 };
      expect(received.slice(1)).toEqual([{ id: expect.any(String), key, content }]);
      const refund = await setup.processor.refund(setup.aboutBank(key, 1), attemptCall(newKey()));
      expect(refund).toMatchObject({ kind: 'Declined' });
    });

    itWithBank('a notice of change has the corrected account number', async () => {
      const { inbox, received } = recordingInbox();
      const key = await submittedSale(setup, 1_000, 'changed');
      await pass(DAY);
      const notices = setup.underTest.bank.connect();
      notices.listen(inbox);
      await notices.deliverDue();
      await notices.stop();
      const change = received.find(({ content }) => content.kind === 'NoticeOfChange');
      const corrected = { accountNumber: expect.stringMatching(/^\d{4,17}$/) };
      expect(change).toMatchObject({ key, content: { code: 'C01', corrected } });
    });

    itWithBank('what was not stored comes again with the same id', async () => {
      const { inbox, received } = recordingInbox((count) => count > 1);
      await submittedSale(setup, 1_000);
      await pass(DAY);
      const notices = setup.underTest.bank.connect();
      notices.listen(inbox);
      expect(await notices.deliverDue()).toBe(0);
      expect(await notices.countDue()).toBe(1);
      while ((await notices.deliverDue()) === 0) await new Promise((resume) => setTimeout(resume, 50));
      await notices.stop();
      expect(received).toHaveLength(2);
      expect(new Set(received.map(({ id }) => id)).size).toBe(1);
    });

    itWithBank('two processes deliver each notice once, and both see the count of what is left', async () => {
      const keys: string[] = [];
      for (let amount = 1; amount < 9; amount++) keys.push(await submittedSale(setup, amount));
      await pass(DAY);
      const sides = [0, 1].map(() => ({ ...recordingInbox(), notices: setup.underTest.bank.connect() }));
      for (const { notices, inbox } of sides) notices.listen(inbox);
      expect(await sides[0]?.notices.countDue()).toBe(8);
      await Promise.all(sides.map(({ notices }) => notices.deliverDue()));
      for (const { notices } of sides) {
        expect(await notices.countDue()).toBe(0);
        await notices.stop();
      }
      const delivered = sides.flatMap(({ received }) => received.map(({ key }) => key));
      expect(delivered.sort()).toEqual(keys);
    });
  });
}

async function submittedSale(
  setup: ContractSetup,
  amount: Cents,
  account: BankAccountKind = 'approved',
): Promise<string> {
  const key = newKey();
  const answer = await setup.processor.sale(setup.byBank(amount, account), attemptCall(key));
  expect(answer).toMatchObject(SUBMITTED);
  return key;
}

/** @param stores whether it stores the notice that it gets as the n-th one */
function recordingInbox(stores: (count: number) => boolean = () => true) {
  const received: ProcessorNotice[] = [];
  const inbox: ProcessorInbox = {
    receive: async (_processor, notice) => {
      received.push(notice);
      if (!stores(received.length)) throw new Error('the store is full');
      return 'Stored';
    },
  };
  return { inbox, received };
}
