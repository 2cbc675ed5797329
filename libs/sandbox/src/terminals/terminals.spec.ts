import type { CardRequest } from '../acquirer/acquirer.types.js';
import { DEADLINE_MS, reactionSummary, SandboxFixture } from '../sandbox.fixture.js';
import type { Sandbox } from '../sandbox.js';

let world: SandboxFixture;
let sandbox: Sandbox;
beforeEach(() => {
  world = new SandboxFixture();
  sandbox = world.open();
});
afterEach(() => world.remove());
const pay = (amount: number, rest: Partial<CardRequest> = {}) =>
  sandbox.acquirer.execute(world.terminal(amount, rest));

describe('Terminal settings', () => {
  it('begin as Auto with the default card', () => {
    expect(sandbox.terminals.get('pmt_trm_1')).toEqual({
      id: 'pmt_trm_1',
      mode: 'Auto',
      card: null,
      waiting: null,
    });
  });

  it('are durable and the same in every process', () => {
    const other = world.open();
    sandbox.terminals.set('pmt_trm_1', { mode: 'LowBattery', card: '5555555555554444' });
    expect(reactionSummary(other.acquirer.execute(world.terminal(1_000)))).toBe('TerminalEnded 3006');
    world.closeAll();
    expect(world.open().terminals.get('pmt_trm_1')).toMatchObject({
      mode: 'LowBattery',
      card: '5555555555554444',
    });
  });

  const refused: [string, string | null, string][] = [
    ['Sleepy', null, 'UnknownMode'],
    ['Auto', '4111111111111111', 'UnknownCard'],
    ['Auto', '4000000000006918', 'UnknownCard'],
  ];
  it.each(refused)('mode %s with card %s is refused as %s, and nothing changes', (mode, card, code) => {
    expect(() => sandbox.terminals.set('pmt_trm_1', { mode, card })).toThrow(
      expect.objectContaining({ code }),
    );
    expect(sandbox.terminals.get('pmt_trm_1')).toMatchObject({ mode: 'Auto', card: null });
  });
});

describe('A terminal', () => {
  it('answers at once with its card, as a chip card', () => {
    expect(pay(1_000)).toMatchObject({
      kind: 'Answered',
      answer: {
        outcome: 'Approved',
        authCode: expect.stringMatching(/^\d{6}$/),
        networkTransactionId: expect.stringMatching(/^\d{15}$/),
        terminalId: 'pmt_trm_1',
        entryMode: 'Chip',
        card: {
          cardType: 'VISA',
          maskedNumber: '************4242',
          fundingType: 'Credit',
          aid: 'A0000000031010',
          tvr: '0000008000',
        },
      },
    });
  });

  it.each(['GIFT', 'CASH', 'EBT', 'DEBIT', 'OTHER', 'UNKNOWN'])('takes a card of type %s', (card) => {
    sandbox.terminals.set('pmt_trm_1', { mode: 'Auto', card });
    expect(pay(1_000)).toMatchObject({ answer: { outcome: 'Approved', card: { cardType: card } } });
    expect(sandbox.terminals.get('pmt_trm_1').card).toBe(card);
  });

  it('says nothing of AVS and CVV', () => {
    const reaction = pay(1_000);
    expect(reaction).not.toHaveProperty('answer.avsResult');
    expect(reaction).not.toHaveProperty('answer.cvvResult');
  });

  it('takes INTERAC for sale and refund in CAD; an auth or USD is 57', () => {
    sandbox.terminals.set('pmt_trm_1', { mode: 'Auto', card: '4506440000000009' });
    expect(reactionSummary(pay(1_000, { currency: 'CAD' }))).toBe('Approved 00 1000');
    expect(reactionSummary(pay(1_000, { currency: 'CAD', operation: 'UnreferencedRefund' }))).toBe(
      'Approved 00 1000',
    );
    expect(reactionSummary(pay(1_000, { currency: 'CAD', operation: 'Authorize' }))).toBe('Declined 57');
    expect(reactionSummary(pay(1_000, { currency: 'USD' }))).toBe('Declined 57');
  });

  it('offline ends with 1003 after 2 s, with a low battery at once with 3006', () => {
    sandbox.terminals.set('pmt_trm_1', { mode: 'Offline', card: null });
    expect(pay(1_000)).toEqual({ kind: 'TerminalEnded', resultCode: 1003, afterMs: 2_000 });
    sandbox.terminals.set('pmt_trm_1', { mode: 'LowBattery', card: null });
    expect(pay(1_000)).toEqual({ kind: 'TerminalEnded', resultCode: 3006, afterMs: 0 });
  });

  it('with a lost link has charged and keeps the outcome until the link is back', () => {
    sandbox.terminals.set('pmt_trm_1', { mode: 'LostLink', card: null });
    const request = world.terminal(1_000);
    expect(sandbox.acquirer.execute(request)).toEqual({ kind: 'LinkLost' });
    expect(sandbox.ledger.entry(request.key)?.amount).toBe(1_000);
    expect(sandbox.acquirer.lastTransaction('pmt_trm_1', request.key)).toEqual({ kind: 'NoAnswer' });
    sandbox.terminals.set('pmt_trm_1', { mode: 'Auto', card: null });
    expect(sandbox.acquirer.lastTransaction('pmt_trm_1', request.key)).toMatchObject({ kind: 'Found' });
    expect(sandbox.acquirer.lastTransaction('pmt_trm_2', request.key)).toEqual({ kind: 'NotFound' });
  });

  it('with one transaction on it ends a second with 1003, from another process too', () => {
    pay(920_005);
    expect(reactionSummary(world.open().acquirer.execute(world.terminal(1_000)))).toBe('TerminalEnded 1003');
    expect(reactionSummary(pay(1_000, { terminalId: 'pmt_trm_2' }))).toBe('Approved 00 1000');
    world.now += 5_000;
    expect(reactionSummary(pay(1_000))).toBe('Approved 00 1000');
  });

  it('waits for a silent host no longer than its deadline, and is free then, whoever was killed', () => {
    pay(920_001);
    world.closeAll();
    sandbox = world.open();
    world.now += DEADLINE_MS - 1;
    expect(reactionSummary(pay(1_000))).toBe('TerminalEnded 1003');
    world.now += 1;
    expect(reactionSummary(pay(1_000))).toBe('Approved 00 1000');
  });
});
