import { readFileSync } from 'node:fs';
import { CustomerFixture, DEBIT, TERMINAL } from './customer.fixture.js';
import { invalidActFields } from './customers.js';
import { reactionSummary } from '../sandbox.fixture.js';
import { CHIP_READ_MS, CUSTOMER_TIMEOUT_MS } from './terminal.transactions.js';

let at: CustomerFixture;
beforeEach(() => (at = new CustomerFixture()));
afterEach(() => at.sandboxFixture.remove());

describe('Nobody waits', () => {
  it.each(['Tap', 'Insert', 'Swipe', 'Pin', 'Cancel'])('for %s at a terminal at rest', (action) => {
    expect(() => at.act(action, action === 'Pin' ? { pin: '1234' } : {})).toThrow(
      expect.objectContaining({ code: 'NobodyWaits' }),
    );
  });

  it('for a second card once one is in', () => {
    const key = at.startTransaction();
    at.act('Insert', { card: DEBIT });
    expect(() => at.act('Tap')).toThrow(expect.objectContaining({ code: 'NobodyWaits' }));
    expect(at.reactionTo(key)).toBe('AwaitsCustomer');
  });
});

describe('What a customer does', () => {
  const acts: [object, string[]][] = [
    [{ action: 'Tap' }, []],
    [{ action: 'Insert', card: 'EBT', pin: '123456789012' }, []],
    [{ action: 'Sing' }, ['action']],
    [{ action: 'Tap', card: '4111111111111111' }, ['card']],
    [{ action: 'Tap', card: '4000000000006918' }, ['card']],
    [{ action: 'Pin' }, ['pin']],
    [{ action: 'Pin', pin: '12a4' }, ['pin']],
    [{ action: 'Pin', pin: '1'.repeat(13) }, ['pin']],
    [{ action: 'Cancel', card: 'GIFT', pin: '1234' }, ['card', 'pin']],
  ];
  it.each(acts)('%j is refused for %j', (asked, fields) => {
    const refused = invalidActFields(asked as { action: string });
    expect(refused.map(({ field }) => field)).toEqual(fields);
  });

  it('with a card that nobody knows changes nothing', () => {
    const key = at.startTransaction();
    expect(() => at.act('Tap', { card: '4111111111111111' })).toThrow(
      expect.objectContaining({ code: 'UnknownCard' }),
    );
    expect(at.reactionTo(key)).toBe('AwaitsCustomer');
  });
});

describe('A process that dies while its terminal waits', () => {
  it('leaves a terminal that goes on, and whoever asks later finds what came of it', () => {
    const key = at.startTransaction();
    at.reopen();
    expect(at.sandbox.acquirer.inquire(key)).toEqual({ kind: 'StillRunning' });
    at.act('Insert', { card: DEBIT });
    at.reopen();
    at.act('Pin', { pin: '1234' });
    expect(at.sandbox.acquirer.inquire(key)).toMatchObject({ kind: 'Found', answer: { entryMode: 'Chip' } });
    expect(at.sandbox.acquirer.lastTransaction(TERMINAL, key)).toMatchObject({ kind: 'Found' });
  });

  it('has a chip that was being read charged once, whoever looks first', () => {
    const key = at.startTransaction();
    at.act('Insert');
    at.sandboxFixture.now += CHIP_READ_MS;
    at.reopen();
    expect([...at.sandbox.ledger.entries()]).toMatchObject([{ key, amount: 1_250 }]);
    expect(at.sandbox.acquirer.annul(key)).toMatchObject({ kind: 'AlreadyExecuted' });
  });

  it('can be taken back: the terminal stops waiting, and never charges', () => {
    const key = at.startTransaction();
    expect(at.sandbox.acquirer.annul(key)).toEqual({ kind: 'Annulled' });
    expect(at.waiting()).toBeNull();
    expect(() => at.act('Tap')).toThrow(expect.objectContaining({ code: 'NobodyWaits' }));
    expect(at.reactionTo(key)).toBe('Declined G54');
    expect(at.sandbox.acquirer.inquire(key)).toEqual({ kind: 'NotFound' });
    at.startTransaction();
  });

  it('a repeated key is the same transaction, and no second one', () => {
    const request = at.sandboxFixture.terminal(700);
    at.sandbox.acquirer.execute(request);
    expect(at.sandbox.acquirer.execute(request)).toEqual({ kind: 'AwaitsCustomer' });
    at.act('Tap');
    expect(reactionSummary(at.sandbox.acquirer.execute(request))).toBe('Approved 00 700');
  });

  it('leaves no card number and no PIN in any file', () => {
    at.startTransaction();
    at.act('Insert', { card: DEBIT });
    at.act('Pin', { pin: '48151623' });
    const bytes = ['', '-wal']
      .map((end) => readFileSync(at.sandboxFixture.file + end).toString('latin1'))
      .join('\n');
    expect(bytes).not.toContain(DEBIT);
    expect(bytes).not.toContain('48151623');
  });
});

describe('The screen of a terminal', () => {
  const screen = () => at.sandbox.customers.screen(TERMINAL);

  it('follows the customer from rest to the result', () => {
    expect(screen()).toEqual({ kind: 'Idle' });
    const key = at.startTransaction();
    const shown = { transactionId: key.replace('.1', ''), operation: 'Sale', amount: 1_250, currency: 'USD' };
    expect(screen()).toEqual({
      kind: 'AwaitsCard',
      ...shown,
      endsAt: at.sandboxFixture.now + CUSTOMER_TIMEOUT_MS,
    });
    at.act('Insert', { card: DEBIT });
    expect(screen()).toMatchObject({ kind: 'AwaitsPin' });
    at.act('Pin', { pin: '1234' });
    expect(screen()).toMatchObject({
      kind: 'Ended',
      ...shown,
      at: at.sandboxFixture.now,
      answer: { outcome: 'Approved' },
    });
  });

  it('shows a chip being read, and a host that is waited for, as processing', () => {
    at.startTransaction(920_001);
    at.act('Insert');
    expect(screen()).toMatchObject({ kind: 'Processing' });
    at.sandboxFixture.now += CHIP_READ_MS;
    expect(screen()).toMatchObject({ kind: 'Processing' });
    at.sandboxFixture.now += 10_000;
    expect(screen()).toEqual({ ...screen(), kind: 'Ended', at: at.sandboxFixture.now });
    expect(screen()).not.toHaveProperty('answer');
  });

  it('shows what ran out of time, was taken back, ended at once, or was taken by itself', () => {
    at.startTransaction();
    at.sandboxFixture.now += CUSTOMER_TIMEOUT_MS;
    expect(screen()).toMatchObject({ kind: 'Ended', answer: { outcome: 'TookTooLong' } });
    at.sandboxFixture.now += 1;
    const key = at.startTransaction();
    at.sandbox.acquirer.annul(key);
    expect(screen()).toMatchObject({ kind: 'Ended', takenBack: true });
    at.sandboxFixture.now += 1;
    at.sandbox.acquirer.execute(at.sandboxFixture.terminal(913_005));
    expect(screen()).toMatchObject({ kind: 'Ended', resultCode: 3005, amount: 913_005 });
    at.sandbox.terminals.set(TERMINAL, { mode: 'Auto', card: null });
    at.sandboxFixture.now += 1;
    at.sandbox.acquirer.execute(at.sandboxFixture.terminal(300));
    expect(screen()).toMatchObject({ kind: 'Ended', amount: 300, answer: { outcome: 'Approved' } });
  });
});
