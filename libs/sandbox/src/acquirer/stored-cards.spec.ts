import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CardOperation, CardRequest, HostResponse } from './acquirer.types.js';
import { CARDS } from './cards.table.js';
import { reactionSummary, SandboxFixture } from '../sandbox.fixture.js';
import type { Sandbox } from '../sandbox.js';

let fixture: SandboxFixture;
let sandbox: Sandbox;
beforeEach(() => {
  fixture = new SandboxFixture();
  sandbox = fixture.open();
});
afterEach(() => fixture.remove());

const request = (amount: number, rest: Partial<CardRequest> = {}, number = '4242424242424242') =>
  fixture.card(amount, { channel: 'Token', card: { number, expDate: '1234' }, ...rest });
const pay = (...args: Parameters<typeof request>) => sandbox.acquirer.execute(request(...args));
const answerOf = (...args: Parameters<typeof request>): HostResponse => {
  const reaction = pay(...args);
  if (reaction.kind !== 'Answered') throw new Error(reaction.kind);
  return reaction.answer;
};
const OPERATIONS: readonly CardOperation[] = ['Sale', 'Authorize'];

describe('A stored card', () => {
  const storable = CARDS.filter(({ only }) => only !== 'Terminal');
  it.each(storable.map((card) => [card.type, card.number, card]))(
    'pays by the table of cards: %s %s',
    (_type, number, card) => {
      for (const operation of OPERATIONS) {
        const expected = card.declines ? `Declined ${card.declines}` : 'Approved 00 1000';
        expect(reactionSummary(pay(1_000, { operation }, number))).toBe(expected);
      }
    },
  );

  it('has the entry mode Stored and no CVV result', () => {
    const answer = answerOf(1_000, {}, '4000000000000101');
    expect(answer).toMatchObject({ entryMode: 'Stored', card: { cardType: 'VISA' } });
    expect(answer).not.toHaveProperty('cvvResult');
    expect(answer).not.toHaveProperty('card.aid');
  });

  it('has an AVS result only with a ZIP or postal code', () => {
    expect(answerOf(1_000, {}, '4000000000000010')).not.toHaveProperty('avsResult');
    expect(answerOf(1_000, { zipCode: '10001' }, '4000000000000010').avsResult).toBe('N');
    expect(answerOf(1_000, { zipCode: '99901' }).avsResult).toBe('E');
  });

  it("is declined with 54 after its expiry by the service's clock", () => {
    const card = { number: '4242424242424242', expDate: '0130' };
    expect(reactionSummary(pay(1_000, { card }))).toBe('Approved 00 1000');
    fixture.setServiceTime(Date.UTC(2030, 1, 1));
    expect(reactionSummary(pay(1_000, { card }))).toBe('Declined 54');
  });

  it('of INTERAC is declined with 14: it pays only at terminals', () => {
    expect(reactionSummary(pay(1_000, { currency: 'CAD' }, '4506440000000009'))).toBe('Declined 14');
  });

  const triggers: [number, string][] = [
    [900_051, 'Declined 51'],
    [900_010, 'Approved 10 450005'],
    [920_001, 'Silent'],
    [920_002, 'Silent'],
    [920_003, 'Silent'],
    [920_004, 'ConnectionRefused'],
    [920_005, 'Silent'],
    [920_006, 'Silent'],
    [940_053, 'Declined G53'],
    [950_001, 'Approved 00 950001'],
    // For terminals only.
    [913_005, 'Approved 00 913005'],
  ];
  it.each(triggers)('reacts to amount %i with %s', (amount, expected) => {
    expect(reactionSummary(pay(amount))).toBe(expected);
  });

  it('that declines does not react to special amounts', () => {
    expect(reactionSummary(pay(920_001, {}, '4000000000000002'))).toBe('Declined 05');
  });

  it('of a merchant-initiated payment has a network transaction id, which the ledger stores', () => {
    const first = answerOf(1_000).networkTransactionId ?? '';
    expect(first).toMatch(/^\d{15}$/);
    const [withId, withoutId] = [request(1_000, { networkTransactionId: first }), request(1_000)];
    sandbox.acquirer.execute(withId);
    sandbox.acquirer.execute(withoutId);
    fixture.closeAll();
    sandbox = fixture.open();
    expect(sandbox.ledger.requestOf(withId.key)).toEqual({
      operation: 'Sale',
      merchantId: 'mer_1',
      currency: 'USD',
      amount: 1_000,
      channel: 'Token',
      networkTransactionId: first,
    });
    expect(sandbox.ledger.requestOf(withoutId.key)).not.toHaveProperty('networkTransactionId');
  });

  it('has no request in the ledger if its payment never arrived', () => {
    const lost = request(920_002, { networkTransactionId: '1' });
    sandbox.acquirer.execute(lost);
    expect(sandbox.ledger.requestOf(lost.key)).toBeUndefined();
    expect(sandbox.ledger.requestOf('trx_unknown.1')).toBeUndefined();
  });
});

describe('The files of the sandbox', () => {
  it('have no card number after verifications, payments, declines and open operations', () => {
    for (const { number, only } of CARDS) {
      if (only !== 'Form') sandbox.terminals.set('pmt_trm_1', { mode: 'Auto', card: number });
      for (const operation of ['Verify', 'Sale', 'Authorize', 'UnreferencedRefund'] as const) {
        pay(1_000, { operation, channel: 'CardNotPresent' }, number);
        pay(1_000, { operation }, number);
        pay(920_005, { operation }, number);
        pay(920_006, { operation }, number);
        sandbox.acquirer.execute(fixture.terminal(1_000, { operation, currency: 'CAD' }));
      }
    }
    const whileOpen = everyByte();
    fixture.closeAll();
    const afterwards = everyByte();
    expect(whileOpen.length).toBeGreaterThan(afterwards.length); // includes the write-ahead log
    for (const bytes of [whileOpen, afterwards]) {
      expect(bytes).toContain('************4242');
      expect(CARDS.filter(({ number }) => bytes.includes(number))).toEqual([]);
    }
  });

  const everyByte = () => {
    const directory = dirname(fixture.file);
    return readdirSync(directory)
      .map((name) => readFileSync(join(directory, name)).toString('latin1'))
      .join('\n');
  };
});
