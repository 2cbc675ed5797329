import type { CardRequest, Reaction } from './acquirer.types.js';
import { AMOUNT_ROWS } from './amounts.table.js';
import { CARDS } from './cards.table.js';
import { reactionSummary, SandboxFixture, START } from '../sandbox.fixture.js';
import type { Sandbox } from '../sandbox.js';

let fixture: SandboxFixture;
let sandbox: Sandbox;
beforeEach(() => {
  fixture = new SandboxFixture();
  sandbox = fixture.open();
});
afterEach(() => fixture.remove());

const onForm = (number: string, rest: Partial<CardRequest> = {}) =>
  sandbox.acquirer.execute(
    fixture.card(0, { operation: 'Verify', card: { number, expDate: '0931', cvv: '123' }, ...rest }),
  );
const onTerminal = (rest: Partial<CardRequest> = {}) =>
  sandbox.acquirer.execute(fixture.terminal(0, { operation: 'Verify', ...rest }));
const put = (card: string) => sandbox.terminals.set('pmt_trm_1', { mode: 'Auto', card });
const credential = (reaction: Reaction) =>
  reaction.kind === 'Answered' ? reaction.credential : `${reaction.kind}?`;

describe('A verification of a given card', () => {
  const approving = CARDS.filter(({ declines, only }) => !declines && only !== 'Terminal');
  it.each(approving.map(({ number, type }) => [type, number]))(
    '%s %s is approved for 0.00, with its credential',
    (type, number) => {
      const reaction = onForm(number);
      expect(reactionSummary(reaction)).toBe('Approved 00 0');
      expect(credential(reaction)).toEqual({ number, expDate: '0931' });
      expect(reaction).toMatchObject({
        answer: {
          entryMode: 'Form',
          authCode: expect.stringMatching(/^\d{6}$/),
          networkTransactionId: expect.stringMatching(/^\d{15}$/),
          card: { cardType: type, maskedNumber: expect.stringMatching(`^\\*+${number.slice(-4)}$`) },
        },
      });
    },
  );

  const declining: [string, string][] = [
    ['4000000000000002', '05'],
    ['4000000000009995', '51'],
    ['4000000000000069', '54'],
    ['4100000000000019', '59'],
    ['4000000000000119', '91'],
    ['4000000000000127', '14'],
    ['4000000000006918', '91'],
    ['4000000000006926', 'G0'],
    ['4000008400001629', '05'],
    ['4506440000000009', '14'],
    ['4111111111111111', '14'],
  ];
  it.each(declining)('%s is declined with %s, without a credential', (number, code) => {
    const reaction = onForm(number);
    expect(reactionSummary(reaction)).toBe(`Declined ${code}`);
    expect(credential(reaction)).toBeUndefined();
  });

  it('has AVS and CVV results like a sale', () => {
    const with981 = { number: '4242424242424242', expDate: '0931', cvv: '981' };
    const answer = { avsResult: 'X', cvvResult: 'P' };
    expect(onForm('', { card: with981, zipCode: '99906-0006' })).toMatchObject({ answer });
    expect(onForm('4000000000000101')).toMatchObject({ answer: { avsResult: 'Y', cvvResult: 'N' } });
  });

  it("of a card that has expired by the service's clock is declined", () => {
    fixture.setServiceTime(Date.UTC(2031, 9, 1));
    expect(reactionSummary(onForm('4242424242424242'))).toBe('Declined 54');
  });

  it('of a bank account is not supported', () => {
    expect(reactionSummary(onForm('4242424242424242', { channel: 'Ach' }))).toBe('Declined G52');
  });
});

describe('A verification on a terminal', () => {
  it('has the default card, valid until 12/34', () => {
    const reaction = onTerminal();
    expect(reactionSummary(reaction)).toBe('Approved 00 0');
    expect(credential(reaction)).toEqual({ number: '4242424242424242', expDate: '1234' });
    expect(reaction).toMatchObject({ answer: { terminalId: 'pmt_trm_1', entryMode: 'Chip' } });
  });

  const taken = CARDS.filter(({ only, type }) => only !== 'Form' && type !== 'INTERAC');
  it.each(taken.map((card) => [card.type, card.number, card]))(
    'follows the table of cards: %s %s',
    (_type, number, card) => {
      put(number);
      const reaction = onTerminal();
      expect(reactionSummary(reaction)).toBe(card.declines ? `Declined ${card.declines}` : 'Approved 00 0');
      expect(credential(reaction)).toEqual(card.declines ? undefined : { number, expDate: '1234' });
    },
  );

  it('takes INTERAC on a CAD terminal, and declines it with 57 in USD', () => {
    put('4506440000000009');
    const reaction = onTerminal({ currency: 'CAD' });
    expect(credential(reaction)).toEqual({ number: '4506440000000009', expDate: '1234' });
    expect(reactionSummary(onTerminal({ currency: 'USD' }))).toBe('Declined 57');
  });

  it.each(['GIFT', 'CASH', 'EBT', 'DEBIT', 'OTHER', 'UNKNOWN'])(
    'declines %s with 57: it can not be stored',
    (card) => {
      put(card);
      const reaction = onTerminal();
      expect(reactionSummary(reaction)).toBe('Declined 57');
      expect(credential(reaction)).toBeUndefined();
      expect(reaction).toMatchObject({ answer: { card: { cardType: card } } });
    },
  );

  it('ends offline with 1003 after 2 s, with a low battery at once with 3006, and executes nothing', () => {
    const key = fixture.key();
    sandbox.terminals.set('pmt_trm_1', { mode: 'Offline', card: null });
    expect(onTerminal({ key })).toEqual({ kind: 'TerminalEnded', resultCode: 1003, afterMs: 2_000 });
    sandbox.terminals.set('pmt_trm_1', { mode: 'LowBattery', card: null });
    expect(onTerminal({ key })).toEqual({ kind: 'TerminalEnded', resultCode: 3006, afterMs: 0 });
    expect(sandbox.acquirer.inquire(key)).toEqual({ kind: 'NotFound' });
  });

  it('ends with 1003 if the terminal is busy', () => {
    sandbox.acquirer.execute(fixture.terminal(920_005));
    expect(reactionSummary(onTerminal())).toBe('TerminalEnded 1003');
  });

  it('with a lost link executes, and is found with its credential when the link is back', () => {
    sandbox.terminals.set('pmt_trm_1', { mode: 'LostLink', card: '5555555555554444' });
    const key = fixture.key();
    expect(onTerminal({ key })).toEqual({ kind: 'LinkLost' });
    expect(sandbox.acquirer.lastTransaction('pmt_trm_1', key)).toEqual({ kind: 'NoAnswer' });
    // The terminal has another card now; the result has the verified one.
    put('4242424242424242');
    expect(sandbox.acquirer.lastTransaction('pmt_trm_1', key)).toMatchObject({
      kind: 'Found',
      answer: { outcome: 'Approved' },
      credential: { number: '5555555555554444', expDate: '1234' },
    });
  });
});

describe('A verification', () => {
  it('moves no money, and special amounts have no effect on it', () => {
    const amounts = AMOUNT_ROWS.flatMap(({ base, n = [0] }) => n.map((code) => base + code));
    for (const amount of [1_000, ...amounts]) {
      const request = fixture.terminal(amount, { operation: 'Verify' });
      expect(reactionSummary(sandbox.acquirer.execute(request))).toBe('Approved 00 0');
      expect(reactionSummary(sandbox.acquirer.execute(fixture.card(amount, { operation: 'Verify' })))).toBe(
        'Approved 00 0',
      );
    }
    expect([...sandbox.ledger.entries()]).toEqual([]);
    expect([...sandbox.ledger.nets()]).toEqual([]);
  });

  it('is in the audit once per key', () => {
    const approved = fixture.terminal(0, { operation: 'Verify' });
    const declined = fixture.card(0, {
      operation: 'Verify',
      card: { number: '4000000000000002', expDate: '1234' },
    });
    for (const request of [approved, declined, approved]) sandbox.acquirer.execute(request);
    sandbox.acquirer.execute(fixture.card(1_000));
    const fields = { merchantId: 'mer_1', currency: 'USD', at: START };
    expect([...sandbox.ledger.verifications()]).toEqual([
      { ...fields, key: approved.key, approved: true },
      { ...fields, key: declined.key, approved: false },
    ]);
    expect([...sandbox.ledger.entries()]).toHaveLength(1);
  });

  it('is found again with its credential by every process, also after all were closed', () => {
    const request = fixture.card(0, { operation: 'Verify' });
    const answered = sandbox.acquirer.execute(request);
    const card = { number: '4242424242424242', expDate: '1234' };
    expect(credential(answered)).toEqual(card);
    fixture.closeAll();
    sandbox = fixture.open();
    expect(sandbox.acquirer.execute(request)).toEqual(answered);
    expect(sandbox.acquirer.inquire(request.key)).toEqual({ ...answered, kind: 'Found' });
    expect(sandbox.acquirer.annul(request.key)).toEqual({ ...answered, kind: 'AlreadyExecuted' });
  });

  it('is refused if its key was annulled before', () => {
    const request = fixture.card(0, { operation: 'Verify' });
    expect(sandbox.acquirer.annul(request.key)).toEqual({ kind: 'Annulled' });
    const reaction = sandbox.acquirer.execute(request);
    expect(reactionSummary(reaction)).toBe('Declined G54');
    expect(credential(reaction)).toBeUndefined();
    expect(sandbox.acquirer.inquire(request.key)).toEqual({ kind: 'NotFound' });
  });

  it('can be neither captured, voided, refunded nor reversed', () => {
    const request = fixture.card(0, { operation: 'Verify' });
    sandbox.acquirer.execute(request);
    for (const operation of ['Capture', 'Void', 'Refund', 'Reverse'] as const) {
      expect(reactionSummary(sandbox.acquirer.execute(fixture.followUp(operation, request.key, 1)))).toBe(
        'Declined G20',
      );
    }
  });
});
