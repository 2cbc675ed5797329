import fc from 'fast-check';
import type { PaymentEvent } from '@tillstream/domain';
import { TrialBalance } from './trial.balance.js';
import { moneyEvent, type MoneyEvent } from './money.events.js';
import { bookEvent, type PaymentBook } from './payment.book.js';
import { expectedItems, paymentSums } from './payment.items.js';
import { paymentEntries } from './payment.journal.js';
import { randomHistory } from './random-history.testing.js';

const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 300);
const options = { numRuns: RUNS };
const LIMIT = 60_000 + RUNS * 20;

const history = fc
  .tuple(fc.integer({ min: 1, max: 2 ** 31 }), fc.nat({ max: 60 }))
  .map(([seed, decisions]) => randomHistory(seed, decisions));

function moneyEvents(all: readonly PaymentEvent[]): MoneyEvent[] {
  return all.flatMap((event, index) => moneyEvent(event, index) ?? []);
}

/** The book and the balances after events, from the start or from an earlier book and its balances. */
function post(
  events: readonly MoneyEvent[],
  trial = new TrialBalance(),
  from?: PaymentBook,
): { readonly book: PaymentBook | undefined; readonly trial: TrialBalance } {
  let book = from;
  for (const event of events) {
    for (const entry of paymentEntries(book, event)) trial.post(entry);
    book = bookEvent(book, event);
  }
  return { book, trial };
}

describe('the journal of any history', () => {
  it(
    'balances after each event',
    () => {
      fc.assert(
        fc.property(history, (events) => {
          let book: PaymentBook | undefined;
          const trial = new TrialBalance();
          for (const event of moneyEvents(events)) {
            for (const entry of paymentEntries(book, event)) {
              expect(entry.postings.reduce((sum, { amount }) => sum + amount, 0)).toBe(0);
              trial.post(entry);
            }
            book = bookEvent(book, event);
            for (const balances of trial.all()) expect(TrialBalance.total(balances)).toBe(0);
          }
        }),
        options,
      );
    },
    LIMIT,
  );

  it(
    'is the same from the start and from any place in it, with events that were stored in between',
    () => {
      fc.assert(
        fc.property(history, fc.nat(100), (all, cut) => {
          const events = moneyEvents(all);
          const stored = JSON.parse(JSON.stringify(events)) as MoneyEvent[];
          const whole = post(events);
          const first = post(stored.slice(0, cut));
          const second = post(stored.slice(cut), first.trial, first.book);
          expect(second.trial.all()).toEqual(whole.trial.all());
          expect(second.book).toEqual(whole.book);
        }),
        options,
      );
    },
    LIMIT,
  );

  it(
    'agrees with each amount that a batch took, and owes the merchant their sum',
    () => {
      let taken = 0;
      fc.assert(
        fc.property(history, (all) => {
          const { book, trial } = post(moneyEvents(all));
          if (!book) return;
          let payable = 0;
          for (const item of expectedItems(book)) {
            if (!item.taken) continue;
            expect(item.taken).toMatchObject({ amount: item.taken.expected, repeats: 0 });
            payable += item.taken.expected;
            taken += 1;
          }
          expect(0 - trial.balance(book, 'Payable')).toBe(0 + payable);
        }),
        { numRuns: RUNS * 4 },
      );
      expect(taken).toBeGreaterThan(RUNS / 10);
    },
    LIMIT,
  );

  it(
    'has on its receivable what was captured minus what went back',
    () => {
      fc.assert(
        fc.property(history, (all) => {
          const { book, trial } = post(moneyEvents(all));
          if (!book) return;
          const late = trial.balance(book, 'LateExecuted');
          expect(trial.balance(book, 'Receivable') + late).toBe(paymentSums(book).net);
        }),
        options,
      );
    },
    LIMIT,
  );
});
