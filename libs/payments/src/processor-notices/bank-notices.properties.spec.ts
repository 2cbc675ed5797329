import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { captureBalance, isPending, type OperationId, type Payment } from '@tillstream/domain';
import type { ProcessorNotice } from '@tillstream/processors';
import { BankTestSetup } from '../testing/bank.setup.js';

/** The long proof sets `PROPERTY_RUNS=10000`. */
const RUNS = Math.ceil(Number(process.env['PROPERTY_RUNS'] ?? 300) / 10);
const LIMIT = 60_000 + RUNS * 1_000;

const ACCOUNTS = {
  approved: '000123456789',
  declined: '000111111116',
  withoutFunds: '000111111113',
  returned: '000222222227',
  changed: '000333333335',
} as const;

type Step =
  | { readonly does: 'sell'; readonly account: keyof typeof ACCOUNTS; readonly amount: number }
  | { readonly does: 'refund'; readonly of: number; readonly part: number }
  | { readonly does: 'pass'; readonly hours: number }
  /** `times` at once. `fails`: the store refuses the appends of this delivery. */
  | { readonly does: 'deliver'; readonly nth: number; readonly times: number; readonly fails: boolean }
  /** The bank says that it has no answer yet, though it may have sent one. */
  | { readonly does: 'stale'; readonly of: number }
  | { readonly does: 'resolve' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('sell' as const),
      account: fc.constantFrom(...(Object.keys(ACCOUNTS) as (keyof typeof ACCOUNTS)[])),
      amount: fc.integer({ min: 2, max: 10_000 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('refund' as const),
      of: fc.nat({ max: 3 }),
      part: fc.constantFrom(0.5, 1),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constant('pass' as const), hours: fc.constantFrom(1, 24, 25, 73) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constant('deliver' as const),
      nth: fc.nat({ max: 30 }),
      times: fc.integer({ min: 1, max: 3 }),
      fails: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constant('stale' as const), of: fc.nat({ max: 3 }) }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('resolve' as const) }) },
);

/** Begins with two sales, so that there is something to deliver. */
const sell: Step = { does: 'sell', account: 'approved', amount: 1_000 };
const returned: Step = { does: 'sell', account: 'returned', amount: 700 };
const steps = fc
  .array(step, { maxLength: 30, size: 'max' })
  .map((rest): readonly Step[] => [sell, returned, ...rest]);

const NO_ANSWER_YET = { kind: 'Submitted', facts: { responseCode: 57 } } as const;

class Run {
  readonly payments: OperationId[] = [];
  private readonly acknowledged = new Set<ProcessorNotice>();

  constructor(private readonly bank: BankTestSetup) {}

  async apply(one: Step): Promise<void> {
    const { bank, payments } = this;
    switch (one.does) {
      case 'sell':
        payments.push(await bank.sale(ACCOUNTS[one.account], one.amount));
        return;
      case 'refund': {
        const id = payments[one.of % payments.length] as OperationId;
        const { amount } = await bank.setup.operation(id);
        await bank.refund(id, Math.ceil(amount * one.part));
        return;
      }
      case 'pass':
        return bank.pass(one.hours);
      case 'deliver':
        return this.deliver(bank.sent[one.nth % Math.max(1, bank.sent.length)], one);
      case 'stale': {
        const key = `${payments[one.of % payments.length]}.1`;
        await bank.deliver({ id: `stale-${key}`, key, content: { kind: 'Answered', answer: NO_ANSWER_YET } });
        return;
      }
      case 'resolve':
        await bank.setup.useCases.resolver.runDue(0);
    }
  }

  /** The bank sends what was not acknowledged, in another order, and the resolver does the rest. */
  async end(seed: number): Promise<void> {
    const { bank } = this;
    for (let round = 0; round < 3; round++) {
      await bank.pass(100);
      const missing = bank.sent.filter((notice) => !this.acknowledged.has(notice));
      const order = missing.map((notice, nth) => ({ notice, at: (nth * 7 + seed) % 11 }));
      for (const { notice } of order.toSorted((a, b) => a.at - b.at))
        await this.deliver(notice, { times: 1, fails: false });
      await bank.setup.useCases.resolver.runDue(0);
    }
  }

  private async deliver(
    notice: ProcessorNotice | undefined,
    { times, fails }: { readonly times: number; readonly fails: boolean },
  ): Promise<void> {
    if (!notice) return;
    const { store } = this.bank.setup;
    if (fails) store.inject({ kind: 'Unavailable' });
    const results = await Promise.all(Array.from({ length: times }, () => this.bank.deliver(notice)));
    store.clearFaults();
    if (results.includes(true)) this.acknowledged.add(notice);
  }
}

const OUTCOMES = ['Captured', 'Refunded', 'Declined', 'NotExecuted', 'NotSent', 'Cancelled'];

describe('notices of a bank, repeated, refused and in any order', () => {
  it(
    'complete each operation once, and none is lost',
    async () => {
      await fc.assert(
        fc.asyncProperty(steps, fc.nat({ max: 10 }), async (all, seed) => {
          const bank = await BankTestSetup.open();
          try {
            const run = new Run(bank);
            for (const one of all) await run.apply(one);
            await run.end(seed);
            for (const id of run.payments) await expectConsistent(bank, id);
            await expectLedger(bank, run.payments);
          } finally {
            await bank.close();
          }
        }),
        { numRuns: RUNS },
      );
    },
    LIMIT,
  );
});

async function expectConsistent({ setup }: BankTestSetup, id: OperationId): Promise<void> {
  const payment = await setup.payment(id);
  expect(payment.operations.filter(isPending)).toEqual([]);
  expectWithinLimits(payment);
  const { events } = await setup.memory.readAll({ categories: ['payment'] });
  for (const operation of payment.operations) {
    const own = events.filter(({ data }) => data['operationId'] === operation.id);
    expect(own.filter(({ type }) => OUTCOMES.includes(type))).toHaveLength(1);
    // The bank refuses at once to refund what it returned.
    expect(own.filter(({ type }) => type === 'Submitted').length).toBeLessThanOrEqual(1);
    expect(operation.executedAs ?? 'Refund').toBe('Refund');
  }
}

/** A return after a refund, or during one, may take more than there was: then the payment is flagged. */
function expectWithinLimits(payment: Payment): void {
  const [sale] = payment.operations;
  const open = sale ? captureBalance(payment, sale).open : 0;
  const flags = payment.flags.map(({ kind }) => kind);
  const ofReturns = ['OverRefunded', 'ReturnedAfterRefund'];
  expect(flags.filter((kind) => !ofReturns.includes(kind))).toEqual([]);
  expect(open >= 0 || flags.includes('OverRefunded')).toBe(true);
}

/** Each movement of money, and each notice of change, is in the events once; no stored notice waits. */
async function expectLedger({ setup, sent }: BankTestSetup, payments: readonly OperationId[]): Promise<void> {
  const { events } = await setup.memory.readAll();
  const sumOf = (type: string): number =>
    events.filter((event) => event.type === type).reduce((sum, { data }) => sum + Number(data['amount']), 0);
  expect(sumOf('Captured') - sumOf('Refunded') - sumOf('BankReturned')).toBe(setup.chargedTotal());
  const kinds = [...setup.sandbox.ledger.entries()].map(({ kind }) => kind);
  const count = (type: string): number => events.filter((event) => event.type === type).length;
  expect(count('Captured')).toBe(kinds.filter((kind) => kind === 'Captured').length);
  expect(count('Refunded')).toBe(kinds.filter((kind) => kind === 'Refunded').length);
  expect(count('BankReturned')).toBe(kinds.filter((kind) => kind === 'Returned').length);
  const changes = new Set(
    sent.filter(({ content }) => content.kind === 'NoticeOfChange').map(({ id }) => id),
  );
  expect(count('NoticeOfChangeReceived')).toBe(changes.size);
  expect(count('NoticeApplied')).toBe(count('NoticeReceived'));
  expect(count('SaleRequested')).toBe(payments.length);
}
