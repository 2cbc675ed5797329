import { CustomerFixture, DEBIT, INTERAC, TERMINAL } from './customer.fixture.js';
import { reactionSummary } from '../sandbox.fixture.js';
import { CHIP_READ_MS, CUSTOMER_TIMEOUT_MS } from './terminal.transactions.js';

let at: CustomerFixture;
beforeEach(() => (at = new CustomerFixture()));
afterEach(() => at.sandboxFixture.remove());

describe('A manual terminal', () => {
  it('shows who it waits for, in every process, until something is done', () => {
    expect(at.waiting()).toBeNull();
    const key = at.startTransaction();
    const transactionId = key.replace('.1', '');
    expect(at.sandboxFixture.open().terminals.get(TERMINAL).waiting).toEqual({
      transactionId,
      amount: 1_250,
      currency: 'USD',
    });
    expect(at.reactionTo(key)).toBe('AwaitsCustomer');
    expect(at.act('Tap').waiting).toBeNull();
    expect(at.reactionTo(key)).toBe('Approved 00 1250');
    expect(at.movedAmount(key)).toBe(1_250);
  });

  it.each([
    ['Tap', 'Contactless', true],
    ['Swipe', 'Swipe', false],
  ])('takes the card by %s at once, and says so: %s', (action, entryMode, hasChip) => {
    const key = at.startTransaction();
    at.act(action, { card: '5555555555554444' });
    const reaction = at.sandbox.acquirer.pollCustomer(key);
    expect(reaction).toMatchObject({ answer: { entryMode, card: { cardType: 'MASTERCARD' } } });
    expect(JSON.stringify(reaction).includes('"aid"')).toBe(hasChip);
  });

  it('takes its own card where the customer names none, and follows the tables of cards and amounts', () => {
    at.sandbox.terminals.set(TERMINAL, { mode: 'Manual', card: '4000000000009995' });
    const declined = at.startTransaction();
    at.act('Tap');
    expect(at.reactionTo(declined)).toBe('Declined 51');
    const halved = at.startTransaction(900_010);
    at.act('Tap', { card: '4242424242424242' });
    expect(at.reactionTo(halved)).toBe('Approved 10 450005');
    const gift = at.startTransaction();
    at.act('Swipe', { card: 'GIFT' });
    expect(at.reactionTo(gift)).toBe('Approved 00 1250');
  });

  it('begins sales, authorizations, refunds and checks of a card with a customer', () => {
    for (const operation of ['Authorize', 'UnreferencedRefund', 'Verify'] as const) {
      const key = at.startTransaction(operation === 'Verify' ? 0 : 500, { operation });
      expect(at.waiting()).toMatchObject({ amount: operation === 'Verify' ? 0 : 500 });
      at.act('Tap');
      const told = at.sandbox.acquirer.pollCustomer(key);
      expect(told).toMatchObject({ kind: 'Answered', answer: { outcome: 'Approved' } });
      expect('credential' in told).toBe(operation === 'Verify');
    }
  });

  it('asks a debit card that is inserted for its PIN: 1234 is right', () => {
    const key = at.startTransaction();
    expect(at.act('Insert', { card: DEBIT }).waiting).not.toBeNull();
    at.sandboxFixture.now += 60_000;
    expect(at.reactionTo(key)).toBe('AwaitsCustomer');
    at.act('Pin', { pin: '1234' });
    expect(at.reactionTo(key)).toBe('Approved 00 1250');
  });

  it('any other PIN is declined with ISO 55, whatever the card would say', () => {
    for (const card of [DEBIT, '4000000000000002']) {
      const key = at.startTransaction();
      at.act('Insert', { card });
      at.act('Pin', { pin: '4321' });
      expect(at.reactionTo(key)).toBe('Declined 55');
      expect(at.movedAmount(key)).toBe(0);
    }
  });

  it('reads a chip that needs no PIN for a moment; one that is typed meanwhile counts', () => {
    const key = at.startTransaction();
    expect(at.act('Insert').waiting).toBeNull();
    expect(at.reactionTo(key)).toBe('AwaitsCustomer');
    at.sandboxFixture.now += CHIP_READ_MS;
    expect(at.reactionTo(key)).toBe('Approved 00 1250');
    const wrong = at.startTransaction();
    at.act('Insert');
    at.act('Pin', { pin: '0000' });
    expect(at.reactionTo(wrong)).toBe('Declined 55');
  });

  it('takes card and PIN in one go, and a PIN alone as that of a card that is inserted', () => {
    const oneGo = at.startTransaction();
    at.act('Insert', { card: DEBIT, pin: '1234' });
    expect(at.reactionTo(oneGo)).toBe('Approved 00 1250');
    const alone = at.startTransaction();
    at.act('Pin', { pin: '9999' });
    expect(at.reactionTo(alone)).toBe('Declined 55');
  });

  it('takes INTERAC with its PIN for a sale in CAD; an authorization or USD is 57, and no PIN is asked for', () => {
    const cad = at.startTransaction(1_000, { currency: 'CAD' });
    at.act('Insert', { card: INTERAC });
    at.act('Pin', { pin: '1234' });
    expect(at.reactionTo(cad)).toBe('Approved 00 1000');
    for (const rest of [{ currency: 'CAD', operation: 'Authorize' }, { currency: 'USD' }] as const) {
      const refused = at.startTransaction(1_000, rest);
      at.act('Insert', { card: INTERAC, ...(rest.currency === 'USD' && { pin: '0000' }) });
      expect(at.reactionTo(refused)).toBe('Declined 57');
      expect(at.movedAmount(refused)).toBe(0);
    }
  });

  it('is left by a customer who cancels, before the card or after', () => {
    const before = at.startTransaction();
    at.act('Cancel');
    expect(at.sandbox.acquirer.pollCustomer(before)).toMatchObject({
      answer: { outcome: 'CustomerCancelled' },
    });
    const after = at.startTransaction();
    at.act('Insert', { card: DEBIT });
    at.act('Cancel');
    expect(at.sandbox.acquirer.pollCustomer(after)).toMatchObject({
      answer: { outcome: 'CustomerCancelled', approvedAmount: 0 },
    });
    expect(at.movedAmount(before) + at.movedAmount(after)).toBe(0);
  });

  it("gives up after 120 s of the service's clock, moved forward or not", () => {
    const key = at.startTransaction();
    at.sandboxFixture.now += CUSTOMER_TIMEOUT_MS - 1;
    expect(at.reactionTo(key)).toBe('AwaitsCustomer');
    at.sandboxFixture.now += 1;
    expect(at.waiting()).toBeNull();
    expect(at.sandbox.acquirer.pollCustomer(key)).toMatchObject({ answer: { outcome: 'TookTooLong' } });
    const next = at.startTransaction();
    at.sandboxFixture.ahead += 120_000;
    expect(() => at.act('Tap')).toThrow(expect.objectContaining({ code: 'NobodyWaits' }));
    expect(at.sandbox.acquirer.inquire(next)).toMatchObject({
      kind: 'Found',
      answer: { outcome: 'TookTooLong' },
    });
  });

  it('has one transaction on it: a second gets 1003, and the first goes on', () => {
    const key = at.startTransaction();
    expect(reactionSummary(at.sandboxFixture.open().acquirer.execute(at.sandboxFixture.terminal(1)))).toBe(
      'TerminalEnded 1003',
    );
    at.act('Tap');
    expect(at.reactionTo(key)).toBe('Approved 00 1250');
    at.startTransaction();
  });

  it('with amounts 910000 + n ends at once, and 920004 is refused before anybody sees it', () => {
    expect(reactionSummary(at.sandbox.acquirer.execute(at.sandboxFixture.terminal(913_005)))).toBe(
      'TerminalEnded 3005',
    );
    expect(reactionSummary(at.sandbox.acquirer.execute(at.sandboxFixture.terminal(920_004)))).toBe(
      'ConnectionRefused',
    );
    expect(at.waiting()).toBeNull();
  });

  it('waits for a silent host after the card, and is busy meanwhile', () => {
    const key = at.startTransaction(920_001);
    at.act('Tap');
    expect(at.sandbox.acquirer.pollCustomer(key)).toEqual({ kind: 'Silent' });
    expect(reactionSummary(at.sandbox.acquirer.execute(at.sandboxFixture.terminal(1)))).toBe(
      'TerminalEnded 1003',
    );
    const slow = at.sandboxFixture.terminal(920_005, { terminalId: 'pmt_trm_2' });
    at.sandbox.terminals.set('pmt_trm_2', { mode: 'Manual', card: null });
    at.sandbox.acquirer.execute(slow);
    at.sandbox.customers.act('pmt_trm_2', { action: 'Tap' });
    expect(at.sandbox.acquirer.pollCustomer(slow.key)).toEqual({ kind: 'Silent', answersAfterMs: 5_000 });
  });

  it('that loses its link meanwhile still takes the card, and has the outcome when the link is back', () => {
    const key = at.startTransaction();
    at.sandbox.terminals.set(TERMINAL, { mode: 'LostLink', card: null });
    expect(at.reactionTo(key)).toBe('LinkLost');
    at.act('Tap');
    expect(at.reactionTo(key)).toBe('LinkLost');
    expect(at.sandbox.acquirer.lastTransaction(TERMINAL, key)).toEqual({ kind: 'NoAnswer' });
    at.sandbox.terminals.set(TERMINAL, { mode: 'Auto', card: null });
    expect(at.sandbox.acquirer.lastTransaction(TERMINAL, key)).toMatchObject({ kind: 'Found' });
  });
});
