import type { CardRequest } from '../acquirer/acquirer.types.js';
import { DEADLINE_MS, reactionSummary, SandboxFixture } from '../sandbox.fixture.js';
import type { Sandbox } from '../sandbox.js';

let fixture: SandboxFixture;
let sandbox: Sandbox;
beforeEach(() => {
  fixture = new SandboxFixture();
  sandbox = fixture.open();
});
afterEach(() => fixture.remove());
const pay = (amount: number, rest: Partial<CardRequest> = {}) =>
  sandbox.acquirer.execute(fixture.terminal(amount, rest));

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
    const other = fixture.open();
    sandbox.terminals.set('pmt_trm_1', { mode: 'LowBattery', card: '5555555555554444' });
    expect(reactionSummary(other.acquirer.execute(fixture.terminal(1_000)))).toBe('TerminalEnded 3006');
    fixture.closeAll();
    expect(fixture.open().terminals.get('pmt_trm_1')).toMatchObject({
      mode: 'LowBattery',
      card: '5555555555554444',
    });
  });

  const refused: [string, string | null, string][] = [
    ['Sleepy', null, 'UnknownMode'],
    ['Auto', '4111111111111111', 'UnknownCard'],
    ['Auto', '4000000000006918', 'UnknownCard'],
  ];
  it.each(refused)('mode %s with card %s is refused with %s, and nothing changes', (mode, card, code) => {
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

  it('has no AVS and CVV results', () => {
    const reaction = pay(1_000);
    expect(reaction).not.toHaveProperty('answer.avsResult');
    expect(reaction).not.toHaveProperty('answer.cvvResult');
  });

  it('takes INTERAC for sale and refund in CAD; declines an authorization or USD with 57', () => {
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

  it('with a lost link charges, and has the outcome when the link is back', () => {
    sandbox.terminals.set('pmt_trm_1', { mode: 'LostLink', card: null });
    const request = fixture.terminal(1_000);
    expect(sandbox.acquirer.execute(request)).toEqual({ kind: 'LinkLost' });
    expect(sandbox.ledger.entry(request.key)?.amount).toBe(1_000);
    expect(sandbox.acquirer.lastTransaction('pmt_trm_1', request.key)).toEqual({ kind: 'NoAnswer' });
    sandbox.terminals.set('pmt_trm_1', { mode: 'Auto', card: null });
    expect(sandbox.acquirer.lastTransaction('pmt_trm_1', request.key)).toMatchObject({ kind: 'Found' });
    expect(sandbox.acquirer.lastTransaction('pmt_trm_2', request.key)).toEqual({ kind: 'NotFound' });
  });

  it('with one transaction on it ends a second with 1003, from another process too', () => {
    pay(920_005);
    expect(reactionSummary(fixture.open().acquirer.execute(fixture.terminal(1_000)))).toBe(
      'TerminalEnded 1003',
    );
    expect(reactionSummary(pay(1_000, { terminalId: 'pmt_trm_2' }))).toBe('Approved 00 1000');
    fixture.now += 5_000;
    expect(reactionSummary(pay(1_000))).toBe('Approved 00 1000');
  });

  it('waits for a silent host until the deadline, also after a restart, and is free then', () => {
    pay(920_001);
    fixture.closeAll();
    sandbox = fixture.open();
    fixture.now += DEADLINE_MS - 1;
    expect(reactionSummary(pay(1_000))).toBe('TerminalEnded 1003');
    fixture.now += 1;
    expect(reactionSummary(pay(1_000))).toBe('Approved 00 1000');
  });
});
