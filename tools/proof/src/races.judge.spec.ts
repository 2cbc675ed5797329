import { ask, type AskedKind } from './asked.js';
import { Books } from './audit.fixture.js';
import { judge } from './races.judge.js';
import { verdict } from './races.model.js';

/** An authorization of 1000, captured with 700, 200 of it given back. */
const books = new Books();
const auth = books.open('Auth', 1_000);
const captured = books.followUp('Capture', auth, 700);
books.followUp('Refund', captured, 200);
const [history] = books.evidence(500).histories;

describe('what is possible', () => {
  it.each([
    ['Capture', auth, 300, 'begins'],
    ['Capture', auth, 301, 2012],
    ['Capture', auth, undefined, 2012],
    ['Void', auth, undefined, 'begins'],
    ['Refund', auth, 100, 2011],
    ['Refund', captured, 500, 'begins'],
    ['Refund', captured, 501, 2012],
    ['Void', captured, undefined, 2012],
    ['Capture', captured, 100, 2011],
  ] as const)('%s of %s over %s: %s', (kind, original, amount, expected) => {
    expect(verdict(books.events, kind, original, amount)).toBe(expected);
  });

  it('an amount that only fits if what is held comes back has to wait', () => {
    const held = books.events.slice(
      0,
      books.events.findIndex(({ type }) => type === 'Captured'),
    );
    expect(verdict(held, 'Capture', auth, 300)).toBe('begins');
    expect(verdict(held, 'Capture', auth, 301)).toBe(3401);
    expect(verdict(held, 'Capture', auth, 1_001)).toBe(2012);
    expect(verdict(held, 'Capture', auth, undefined)).toBe(3401);
  });
});

describe('the judge', () => {
  const refused = (kind: AskedKind, amount: number, status: number, code: number) => {
    if (!history) throw new Error('the books have one history');
    const one = ask(kind, { originalTransactionId: auth, amount });
    const [since = 0] = history.times;
    const text = JSON.stringify({ code, status: 'Rejected', errorDetails: [] });
    // Sent after all of it had been written.
    const heard = { status, text, replayed: false, sentAt: since + 60_000, heardAt: since + 60_001 };
    return judge(one, heard, history).complaint;
  };

  it('has nothing to say to a refusal that was due', () => {
    expect(refused('Capture', 301, 400, 2012)).toBeUndefined();
    expect(refused('Refund', 100, 400, 2011)).toBeUndefined();
  });

  it('sees a refusal of what was possible, a wrong code and a wait for nothing', () => {
    expect(refused('Capture', 300, 400, 2012)).toContain('possible were begins');
    expect(refused('Capture', 301, 400, 2011)).toContain('possible were 2012');
    expect(refused('Capture', 301, 409, 3401)).toContain('possible were 2012');
    expect(refused('Capture', 301, 500, 9000)).toContain('answered 500/9000');
  });
});
