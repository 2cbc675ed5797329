import { CustomerFixture, DEBIT, INTERAC, TERMINAL } from './customer.fixture.js';
import { reactionSummary } from '../sandbox.fixture.js';
import { CHIP_READ_MS, CUSTOMER_TIMEOUT_MS } from './terminal.transactions.js';

let fixture: CustomerFixture;
beforeEach(() => (fixture = new CustomerFixture()));
afterEach(() => fixture.sandboxFixture.remove());

describe('A manual terminal', () => {
  it('shows the transaction that waits, in every process, until the customer acts', () => {
    expect(fixture.waiting()).toBeNull();
    const key = fixture.startTransaction();
    const transactionId = key.replace('.1', '');
    expect(fixture.sandboxFixture.open().terminals.get(TERMINAL).waiting).toEqual({
      transactionId,
      amount: 1_250,
      currency: 'USD',
    });
    expect(fixture.reactionTo(key)).toBe('AwaitsCustomer');
    expect(fixture.act('Tap').waiting).toBeNull();
    expect(fixture.reactionTo(key)).toBe('Approved 00 1250');
    expect(fixture.movedAmount(key)).toBe(1_250);
  });

  it.each([
    ['Tap', 'Contactless', true],
    ['Swipe', 'Swipe', false],
  ])('takes the card by %s at once, with the entry mode %s', (action, entryMode, hasChip) => {
    const key = fixture.startTransaction();
    fixture.act(action, { card: '5555555555554444' });
    const reaction = fixture.sandbox.acquirer.pollCustomer(key);
    expect(reaction).toMatchObject({ answer: { entryMode, card: { cardType: 'MASTERCARD' } } });
    expect(JSON.stringify(reaction).includes('"aid"')).toBe(hasChip);
  });

  it('takes its default card if the customer names none, and follows the tables of cards and amounts', () => {
    fixture.sandbox.terminals.set(TERMINAL, { mode: 'Manual', card: '4000000000009995' });
    const declined = fixture.startTransaction();
    fixture.act('Tap');
    expect(fixture.reactionTo(declined)).toBe('Declined 51');
    const halved = fixture.startTransaction(900_010);
    fixture.act('Tap', { card: '4242424242424242' });
    expect(fixture.reactionTo(halved)).toBe('Approved 10 450005');
    const gift = fixture.startTransaction();
    fixture.act('Swipe', { card: 'GIFT' });
    expect(fixture.reactionTo(gift)).toBe('Approved 00 1250');
  });

  it('waits for the customer of authorizations, refunds and verifications too', () => {
    for (const operation of ['Authorize', 'UnreferencedRefund', 'Verify'] as const) {
      const key = fixture.startTransaction(operation === 'Verify' ? 0 : 500, { operation });
      expect(fixture.waiting()).toMatchObject({ amount: operation === 'Verify' ? 0 : 500 });
      fixture.act('Tap');
      const reaction = fixture.sandbox.acquirer.pollCustomer(key);
      expect(reaction).toMatchObject({ kind: 'Answered', answer: { outcome: 'Approved' } });
      expect('credential' in reaction).toBe(operation === 'Verify');
    }
  });

  it('asks a debit card that is inserted for its PIN: 1234 is right', () => {
    const key = fixture.startTransaction();
    expect(fixture.act('Insert', { card: DEBIT }).waiting).not.toBeNull();
    fixture.sandboxFixture.now += 60_000;
    expect(fixture.reactionTo(key)).toBe('AwaitsCustomer');
    fixture.act('Pin', { pin: '1234' });
    expect(fixture.reactionTo(key)).toBe('Approved 00 1250');
  });

  it('declines any other PIN with ISO 55, also for a card that declines', () => {
    for (const card of [DEBIT, '4000000000000002']) {
      const key = fixture.startTransaction();
      fixture.act('Insert', { card });
      fixture.act('Pin', { pin: '4321' });
      expect(fixture.reactionTo(key)).toBe('Declined 55');
      expect(fixture.movedAmount(key)).toBe(0);
    }
  });

  it('reads a chip without a PIN for a moment, and accepts a PIN in this time', () => {
    const key = fixture.startTransaction();
    expect(fixture.act('Insert').waiting).toBeNull();
    expect(fixture.reactionTo(key)).toBe('AwaitsCustomer');
    fixture.sandboxFixture.now += CHIP_READ_MS;
    expect(fixture.reactionTo(key)).toBe('Approved 00 1250');
    const wrong = fixture.startTransaction();
    fixture.act('Insert');
    fixture.act('Pin', { pin: '0000' });
    expect(fixture.reactionTo(wrong)).toBe('Declined 55');
  });

  it('takes card and PIN in one action; a PIN alone inserts a card', () => {
    const together = fixture.startTransaction();
    fixture.act('Insert', { card: DEBIT, pin: '1234' });
    expect(fixture.reactionTo(together)).toBe('Approved 00 1250');
    const alone = fixture.startTransaction();
    fixture.act('Pin', { pin: '9999' });
    expect(fixture.reactionTo(alone)).toBe('Declined 55');
  });

  it('takes INTERAC with its PIN for a sale in CAD; declines an authorization or USD with 57, without a PIN', () => {
    const cad = fixture.startTransaction(1_000, { currency: 'CAD' });
    fixture.act('Insert', { card: INTERAC });
    fixture.act('Pin', { pin: '1234' });
    expect(fixture.reactionTo(cad)).toBe('Approved 00 1000');
    for (const rest of [{ currency: 'CAD', operation: 'Authorize' }, { currency: 'USD' }] as const) {
      const refused = fixture.startTransaction(1_000, rest);
      fixture.act('Insert', { card: INTERAC, ...(rest.currency === 'USD' && { pin: '0000' }) });
      expect(fixture.reactionTo(refused)).toBe('Declined 57');
      expect(fixture.movedAmount(refused)).toBe(0);
    }
  });

  it('lets the customer cancel, before the card or after', () => {
    const before = fixture.startTransaction();
    fixture.act('Cancel');
    expect(fixture.sandbox.acquirer.pollCustomer(before)).toMatchObject({
      answer: { outcome: 'CustomerCancelled' },
    });
    const after = fixture.startTransaction();
    fixture.act('Insert', { card: DEBIT });
    fixture.act('Cancel');
    expect(fixture.sandbox.acquirer.pollCustomer(after)).toMatchObject({
      answer: { outcome: 'CustomerCancelled', approvedAmount: 0 },
    });
    expect(fixture.movedAmount(before) + fixture.movedAmount(after)).toBe(0);
  });

  it("ends after 120 s of the service's clock, also if the clock was moved", () => {
    const key = fixture.startTransaction();
    fixture.sandboxFixture.now += CUSTOMER_TIMEOUT_MS - 1;
    expect(fixture.reactionTo(key)).toBe('AwaitsCustomer');
    fixture.sandboxFixture.now += 1;
    expect(fixture.waiting()).toBeNull();
    expect(fixture.sandbox.acquirer.pollCustomer(key)).toMatchObject({ answer: { outcome: 'TookTooLong' } });
    const next = fixture.startTransaction();
    fixture.sandboxFixture.ahead += 120_000;
    expect(() => fixture.act('Tap')).toThrow(expect.objectContaining({ code: 'NobodyWaits' }));
    expect(fixture.sandbox.acquirer.inquire(next)).toMatchObject({
      kind: 'Found',
      answer: { outcome: 'TookTooLong' },
    });
  });

  it('has one transaction at a time: a second one gets 1003, and the first goes on', () => {
    const key = fixture.startTransaction();
    expect(
      reactionSummary(fixture.sandboxFixture.open().acquirer.execute(fixture.sandboxFixture.terminal(1))),
    ).toBe('TerminalEnded 1003');
    fixture.act('Tap');
    expect(fixture.reactionTo(key)).toBe('Approved 00 1250');
    fixture.startTransaction();
  });

  it('ends amounts 910000 + n at once, and refuses 920004 before the customer sees it', () => {
    expect(reactionSummary(fixture.sandbox.acquirer.execute(fixture.sandboxFixture.terminal(913_005)))).toBe(
      'TerminalEnded 3005',
    );
    expect(reactionSummary(fixture.sandbox.acquirer.execute(fixture.sandboxFixture.terminal(920_004)))).toBe(
      'ConnectionRefused',
    );
    expect(fixture.waiting()).toBeNull();
  });

  it('is busy while it waits for a silent host', () => {
    const key = fixture.startTransaction(920_001);
    fixture.act('Tap');
    expect(fixture.sandbox.acquirer.pollCustomer(key)).toEqual({ kind: 'Silent' });
    expect(reactionSummary(fixture.sandbox.acquirer.execute(fixture.sandboxFixture.terminal(1)))).toBe(
      'TerminalEnded 1003',
    );
    const slow = fixture.sandboxFixture.terminal(920_005, { terminalId: 'pmt_trm_2' });
    fixture.sandbox.terminals.set('pmt_trm_2', { mode: 'Manual', card: null });
    fixture.sandbox.acquirer.execute(slow);
    fixture.sandbox.customers.act('pmt_trm_2', { action: 'Tap' });
    expect(fixture.sandbox.acquirer.pollCustomer(slow.key)).toEqual({
      kind: 'Silent',
      answersAfterMs: 5_000,
    });
  });

  it('that loses its link still takes the card, and has the outcome when the link is back', () => {
    const key = fixture.startTransaction();
    fixture.sandbox.terminals.set(TERMINAL, { mode: 'LostLink', card: null });
    expect(fixture.reactionTo(key)).toBe('LinkLost');
    fixture.act('Tap');
    expect(fixture.reactionTo(key)).toBe('LinkLost');
    expect(fixture.sandbox.acquirer.lastTransaction(TERMINAL, key)).toEqual({ kind: 'NoAnswer' });
    fixture.sandbox.terminals.set(TERMINAL, { mode: 'Auto', card: null });
    expect(fixture.sandbox.acquirer.lastTransaction(TERMINAL, key)).toMatchObject({ kind: 'Found' });
  });
});
