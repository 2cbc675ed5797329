import type { CardRequest, Reaction } from './acquirer.types.js';
import { AMOUNT_ROWS } from './amounts.table.js';
import { CARDS } from './cards.table.js';
import { reactionSummary, SandboxFixture, START } from '../sandbox.fixture.js';
import type { Sandbox } from '../sandbox.js';

let world: SandboxFixture;
let sandbox: Sandbox;
beforeEach(() => {
  world = new SandboxFixture();
  sandbox = world.open();
});
afterEach(() => world.remove());

const onForm = (number: string, rest: Partial<CardRequest> = {}) =>
  sandbox.acquirer.execute(
    world.card(0, { operation: 'Verify', card: { number, expDate: '0931', cvv: '123' }, ...rest }),
  );
const onTerminal = (rest: Partial<CardRequest> = {}) =>
  sandbox.acquirer.execute(world.terminal(0, { operation: 'Verify', ...rest }));
const put = (card: string) => sandbox.terminals.set('pmt_trm_1', { mode: 'Auto', card });
const credential = (reaction: Reaction) =>
  reaction.kind === 'Answered' ? reaction.credential : `${reaction.kind}?`;

describe('A verification of a card that was given', () => {
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
  it.each(declining)('%s is declined with %s, and gives no credential', (number, code) => {
    const reaction = onForm(number);
    expect(reactionSummary(reaction)).toBe(`Declined ${code}`);
    expect(credential(reaction)).toBeUndefined();
  });

  it('says AVS and CVV as a sale does', () => {
    const with981 = { number: '4242424242424242', expDate: '0931', cvv: '981' };
    const answer = { avsResult: 'X', cvvResult: 'P' };
    expect(onForm('', { card: with981, zipCode: '99906-0006' })).toMatchObject({ answer });
    expect(onForm('4000000000000101')).toMatchObject({ answer: { avsResult: 'Y', cvvResult: 'N' } });
  });

  it("that expired by the service's clock is declined", () => {
    world.setServiceTime(Date.UTC(2031, 9, 1));
    expect(reactionSummary(onForm('4242424242424242'))).toBe('Declined 54');
  });

  it('of a bank account is not supported: none is asked for', () => {
    expect(reactionSummary(onForm('4242424242424242', { channel: 'Ach' }))).toBe('Declined G52');
  });
});

describe('A verification on a terminal', () => {
  it('gives the default card, good until 12/34', () => {
    const reaction = onTerminal();
    expect(reactionSummary(reaction)).toBe('Approved 00 0');
    expect(credential(reaction)).toEqual({ number: '4242424242424242', expDate: '1234' });
    expect(reaction).toMatchObject({ answer: { terminalId: 'pmt_trm_1', entryMode: 'Chip' } });
  });

  const taken = CARDS.filter(({ only, type }) => only !== 'Form' && type !== 'INTERAC');
  it.each(taken.map((card) => [card.type, card.number, card]))(
    'goes by the table of cards: %s %s',
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
    'declines %s with 57: it has no number that could be stored',
    (card) => {
      put(card);
      const reaction = onTerminal();
      expect(reactionSummary(reaction)).toBe('Declined 57');
      expect(credential(reaction)).toBeUndefined();
      expect(reaction).toMatchObject({ answer: { card: { cardType: card } } });
    },
  );

  it('that is offline ends with 1003 after 2 s, with a low battery at once with 3006, and nothing was asked', () => {
    const key = world.key();
    sandbox.terminals.set('pmt_trm_1', { mode: 'Offline', card: null });
    expect(onTerminal({ key })).toEqual({ kind: 'TerminalEnded', resultCode: 1003, afterMs: 2_000 });
    sandbox.terminals.set('pmt_trm_1', { mode: 'LowBattery', card: null });
    expect(onTerminal({ key })).toEqual({ kind: 'TerminalEnded', resultCode: 3006, afterMs: 0 });
    expect(sandbox.acquirer.inquire(key)).toEqual({ kind: 'NotFound' });
  });

  it('that is busy ends with 1003', () => {
    sandbox.acquirer.execute(world.terminal(920_005));
    expect(reactionSummary(onTerminal())).toBe('TerminalEnded 1003');
  });

  it('with a lost link has verified, and tells with the credential when the link is back', () => {
    sandbox.terminals.set('pmt_trm_1', { mode: 'LostLink', card: '5555555555554444' });
    const key = world.key();
    expect(onTerminal({ key })).toEqual({ kind: 'LinkLost' });
    expect(sandbox.acquirer.lastTransaction('pmt_trm_1', key)).toEqual({ kind: 'NoAnswer' });
    // Another card is in the terminal when it is asked: told is the one that was verified.
    put('4242424242424242');
    expect(sandbox.acquirer.lastTransaction('pmt_trm_1', key)).toMatchObject({
      kind: 'Found',
      answer: { outcome: 'Approved' },
      credential: { number: '5555555555554444', expDate: '1234' },
    });
  });
});

describe('A verification', () => {
  it('moves no money, whatever amount comes with it: amounts trigger nothing', () => {
    const amounts = AMOUNT_ROWS.flatMap(({ base, n = [0] }) => n.map((one) => base + one));
    for (const amount of [1_000, ...amounts]) {
      const request = world.terminal(amount, { operation: 'Verify' });
      expect(reactionSummary(sandbox.acquirer.execute(request))).toBe('Approved 00 0');
      expect(reactionSummary(sandbox.acquirer.execute(world.card(amount, { operation: 'Verify' })))).toBe(
        'Approved 00 0',
      );
    }
    expect([...sandbox.ledger.entries()]).toEqual([]);
    expect([...sandbox.ledger.nets()]).toEqual([]);
  });

  it('is known to the audit, once per key', () => {
    const approved = world.terminal(0, { operation: 'Verify' });
    const declined = world.card(0, {
      operation: 'Verify',
      card: { number: '4000000000000002', expDate: '1234' },
    });
    for (const request of [approved, declined, approved]) sandbox.acquirer.execute(request);
    sandbox.acquirer.execute(world.card(1_000));
    const of = { merchantId: 'mer_1', currency: 'USD', at: START };
    expect([...sandbox.ledger.verifications()]).toEqual([
      { ...of, key: approved.key, approved: true },
      { ...of, key: declined.key, approved: false },
    ]);
    expect([...sandbox.ledger.entries()]).toHaveLength(1);
  });

  it('is told again with its credential by every process, after all were closed too', () => {
    const request = world.card(0, { operation: 'Verify' });
    const answered = sandbox.acquirer.execute(request);
    const told = { number: '4242424242424242', expDate: '1234' };
    expect(credential(answered)).toEqual(told);
    world.closeAll();
    sandbox = world.open();
    expect(sandbox.acquirer.execute(request)).toEqual(answered);
    expect(sandbox.acquirer.inquire(request.key)).toEqual({ ...answered, kind: 'Found' });
    expect(sandbox.acquirer.annul(request.key)).toEqual({ ...answered, kind: 'AlreadyExecuted' });
  });

  it('whose key was annulled first is refused for ever', () => {
    const request = world.card(0, { operation: 'Verify' });
    expect(sandbox.acquirer.annul(request.key)).toEqual({ kind: 'Annulled' });
    const reaction = sandbox.acquirer.execute(request);
    expect(reactionSummary(reaction)).toBe('Declined G54');
    expect(credential(reaction)).toBeUndefined();
    expect(sandbox.acquirer.inquire(request.key)).toEqual({ kind: 'NotFound' });
  });

  it('is nothing that could be captured, voided, refunded or reversed', () => {
    const request = world.card(0, { operation: 'Verify' });
    sandbox.acquirer.execute(request);
    for (const operation of ['Capture', 'Void', 'Refund', 'Reverse'] as const) {
      expect(reactionSummary(sandbox.acquirer.execute(world.followUp(operation, request.key, 1)))).toBe(
        'Declined G20',
      );
    }
  });
});
