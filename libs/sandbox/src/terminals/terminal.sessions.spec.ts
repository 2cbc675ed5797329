import { readFileSync } from 'node:fs';
import { CustomerFixture, DEBIT, TERMINAL } from './customer.fixture.js';
import { invalidActFields } from './customers.js';
import { reactionSummary } from '../sandbox.fixture.js';
import { CHIP_READ_MS, CUSTOMER_TIMEOUT_MS } from './terminal.transactions.js';

let fixture: CustomerFixture;
beforeEach(() => (fixture = new CustomerFixture()));
afterEach(() => fixture.sandboxFixture.remove());

describe('NobodyWaits', () => {
  it.each(['Tap', 'Insert', 'Swipe', 'Pin', 'Cancel'])('refuses %s at an idle terminal', (action) => {
    expect(() => fixture.act(action, action === 'Pin' ? { pin: '1234' } : {})).toThrow(
      expect.objectContaining({ code: 'NobodyWaits' }),
    );
  });

  it('refuses a second card', () => {
    const key = fixture.startTransaction();
    fixture.act('Insert', { card: DEBIT });
    expect(() => fixture.act('Tap')).toThrow(expect.objectContaining({ code: 'NobodyWaits' }));
    expect(fixture.reactionTo(key)).toBe('AwaitsCustomer');
  });
});

describe('An action of a customer', () => {
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
  it.each(acts)('%j has the invalid fields %j', (action, fields) => {
    const refused = invalidActFields(action as { action: string });
    expect(refused.map(({ field }) => field)).toEqual(fields);
  });

  it('with an unknown card changes nothing', () => {
    const key = fixture.startTransaction();
    expect(() => fixture.act('Tap', { card: '4111111111111111' })).toThrow(
      expect.objectContaining({ code: 'UnknownCard' }),
    );
    expect(fixture.reactionTo(key)).toBe('AwaitsCustomer');
  });
});

describe('A terminal whose process dies', () => {
  it('goes on, and a later inquiry finds the result', () => {
    const key = fixture.startTransaction();
    fixture.reopen();
    expect(fixture.sandbox.acquirer.inquire(key)).toEqual({ kind: 'StillRunning' });
    fixture.act('Insert', { card: DEBIT });
    fixture.reopen();
    fixture.act('Pin', { pin: '1234' });
    expect(fixture.sandbox.acquirer.inquire(key)).toMatchObject({
      kind: 'Found',
      answer: { entryMode: 'Chip' },
    });
    expect(fixture.sandbox.acquirer.lastTransaction(TERMINAL, key)).toMatchObject({ kind: 'Found' });
  });

  it('charges a chip that was being read, once', () => {
    const key = fixture.startTransaction();
    fixture.act('Insert');
    fixture.sandboxFixture.now += CHIP_READ_MS;
    fixture.reopen();
    expect([...fixture.sandbox.ledger.entries()]).toMatchObject([{ key, amount: 1_250 }]);
    expect(fixture.sandbox.acquirer.annul(key)).toMatchObject({ kind: 'AlreadyExecuted' });
  });

  it('stops waiting after an annulment, and never charges', () => {
    const key = fixture.startTransaction();
    expect(fixture.sandbox.acquirer.annul(key)).toEqual({ kind: 'Annulled' });
    expect(fixture.waiting()).toBeNull();
    expect(() => fixture.act('Tap')).toThrow(expect.objectContaining({ code: 'NobodyWaits' }));
    expect(fixture.reactionTo(key)).toBe('Declined G54');
    expect(fixture.sandbox.acquirer.inquire(key)).toEqual({ kind: 'NotFound' });
    fixture.startTransaction();
  });

  it('has no second transaction for a repeated key', () => {
    const request = fixture.sandboxFixture.terminal(700);
    fixture.sandbox.acquirer.execute(request);
    expect(fixture.sandbox.acquirer.execute(request)).toEqual({ kind: 'AwaitsCustomer' });
    fixture.act('Tap');
    expect(reactionSummary(fixture.sandbox.acquirer.execute(request))).toBe('Approved 00 700');
  });

  it('leaves no card number and no PIN in any file', () => {
    fixture.startTransaction();
    fixture.act('Insert', { card: DEBIT });
    fixture.act('Pin', { pin: '48151623' });
    const bytes = ['', '-wal']
      .map((end) => readFileSync(fixture.sandboxFixture.file + end).toString('latin1'))
      .join('\n');
    expect(bytes).not.toContain(DEBIT);
    expect(bytes).not.toContain('48151623');
  });
});

describe('The screen of a terminal', () => {
  const screen = () => fixture.sandbox.customers.screen(TERMINAL);

  it('shows each step from idle to the result', () => {
    expect(screen()).toEqual({ kind: 'Idle' });
    const key = fixture.startTransaction();
    const shown = { transactionId: key.replace('.1', ''), operation: 'Sale', amount: 1_250, currency: 'USD' };
    expect(screen()).toEqual({
      kind: 'AwaitsCard',
      ...shown,
      endsAt: fixture.sandboxFixture.now + CUSTOMER_TIMEOUT_MS,
    });
    fixture.act('Insert', { card: DEBIT });
    expect(screen()).toMatchObject({ kind: 'AwaitsPin' });
    fixture.act('Pin', { pin: '1234' });
    expect(screen()).toMatchObject({
      kind: 'Ended',
      ...shown,
      at: fixture.sandboxFixture.now,
      answer: { outcome: 'Approved' },
    });
  });

  it('shows Processing while the chip is read and while the host does not answer', () => {
    fixture.startTransaction(920_001);
    fixture.act('Insert');
    expect(screen()).toMatchObject({ kind: 'Processing' });
    fixture.sandboxFixture.now += CHIP_READ_MS;
    expect(screen()).toMatchObject({ kind: 'Processing' });
    fixture.sandboxFixture.now += 10_000;
    expect(screen()).toEqual({ ...screen(), kind: 'Ended', at: fixture.sandboxFixture.now });
    expect(screen()).not.toHaveProperty('answer');
  });

  it('shows the end of a transaction: out of time, annulled, ended by the terminal, or approved', () => {
    fixture.startTransaction();
    fixture.sandboxFixture.now += CUSTOMER_TIMEOUT_MS;
    expect(screen()).toMatchObject({ kind: 'Ended', answer: { outcome: 'TookTooLong' } });
    fixture.sandboxFixture.now += 1;
    const key = fixture.startTransaction();
    fixture.sandbox.acquirer.annul(key);
    expect(screen()).toMatchObject({ kind: 'Ended', takenBack: true });
    fixture.sandboxFixture.now += 1;
    fixture.sandbox.acquirer.execute(fixture.sandboxFixture.terminal(913_005));
    expect(screen()).toMatchObject({ kind: 'Ended', resultCode: 3005, amount: 913_005 });
    fixture.sandbox.terminals.set(TERMINAL, { mode: 'Auto', card: null });
    fixture.sandboxFixture.now += 1;
    fixture.sandbox.acquirer.execute(fixture.sandboxFixture.terminal(300));
    expect(screen()).toMatchObject({ kind: 'Ended', amount: 300, answer: { outcome: 'Approved' } });
  });
});
