import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CardRequest, FollowUpRequest } from '../acquirer/acquirer.types.js';
import { DEADLINE_MS, LATE_EXECUTION_MS, reactionSummary, SandboxFixture } from '../sandbox.fixture.js';
import type { Sandbox } from '../sandbox.js';
import { BANK_ACCOUNTS, BANK_ACCOUNTS_BY_LAST_FOUR } from './bank-accounts.table.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const GOOD = '000123456789';
const RETURNED = '000222222227';

let fixture: SandboxFixture;
let sandbox: Sandbox;
beforeEach(() => {
  fixture = new SandboxFixture();
  sandbox = fixture.open();
});
afterEach(() => fixture.remove());

function request(amount: number, accountNumber = GOOD, rest: Partial<CardRequest> = {}): CardRequest {
  const { card: _none, ...sale } = fixture.card(amount, rest);
  return { ...sale, channel: 'Ach', bankAccount: { routingNumber: '110000000', accountNumber } };
}
const refundOf = (key: string, amount: number, rest: Partial<FollowUpRequest> = {}) =>
  fixture.followUp('Refund', key, amount, { channel: 'Ach', ...rest });
const pass = (ms: number): void => void (fixture.ahead += ms);
const execute = (of: CardRequest | FollowUpRequest): string => reactionSummary(sandbox.acquirer.execute(of));
/** The key of a payment that the bank has taken. */
function submitted(amount = 1_000, accountNumber = GOOD): string {
  const sale = request(amount, accountNumber);
  expect(execute(sale)).toBe('Submitted G57');
  return sale.key;
}
function found(key: string): string {
  const result = sandbox.acquirer.inquire(key);
  return result.kind === 'Found' ? reactionSummary({ ...result, kind: 'Answered' }) : result.kind;
}
/** The claimed messages as `ANS-1 Approved`; each is acknowledged. */
function messages(from = sandbox): string[] {
  const claimed = from.bank.claimMessages(100);
  from.bank.settleMessages({ acknowledged: claimed.map(({ id }) => id), refused: [] });
  return claimed.map(({ id, content }) =>
    content.kind === 'Answered' ? `${id} ${content.answer.outcome}` : `${id} ${content.kind}`,
  );
}

describe('The accounts of the bank', () => {
  it('differ in their last four digits, by which the file names them', () => {
    expect(BANK_ACCOUNTS_BY_LAST_FOUR.size).toBe(BANK_ACCOUNTS.length);
  });

  it('are in no file, and neither are their holders', () => {
    const account = { routingNumber: '110000000', accountNumber: RETURNED, name: 'Ann Holder' };
    execute({ ...request(1_000), bankAccount: account });
    pass(5 * DAY);
    messages();
    const directory = dirname(fixture.file);
    const bytes = readdirSync(directory).map((name) =>
      readFileSync(join(directory, name)).toString('latin1'),
    );
    expect(bytes.join()).not.toMatch(/000222222227|110000000|Ann Holder/);
    expect(bytes.join()).toContain('********2227');
  });
});

describe('A submission', () => {
  it.each([
    [920_001, 'Silent', 'Submitted G57'],
    [920_002, 'Silent', 'NotFound'],
    [920_003, 'Silent', 'NoAnswer'],
    [920_004, 'ConnectionRefused', 'NotFound'],
    [920_005, 'Silent', 'StillRunning'],
    [920_006, 'Silent', 'NotFound'],
    [940_050, 'Declined G50', 'Declined G50'],
  ] as const)('of amount %i ends as %s, and an inquiry finds %s', (amount, reaction, inquiry) => {
    const sale = request(amount);
    expect(execute(sale)).toBe(reaction);
    expect(found(sale.key)).toBe(inquiry);
  });

  it.each([920_001, 920_002, 920_005] as const)(
    'of a refund of %i is approved by the bank in the end',
    (amount) => {
      const key = submitted(2_000_000);
      pass(DAY);
      const refund = refundOf(key, amount);
      expect(execute(refund)).toBe('Silent');
      fixture.now += 5_000;
      expect(execute(refund)).toBe(amount === 920_001 ? 'Silent' : 'Submitted G57');
      pass(DAY);
      expect(found(refund.key)).toBe(`Approved 00 ${amount}`);
    },
  );

  it('that is slow is answered a day after it arrived', () => {
    const sale = request(920_005);
    execute(sale);
    fixture.now += 5_000;
    expect(found(sale.key)).toBe('Submitted G57');
    pass(DAY);
    expect(found(sale.key)).toBe('Approved 00 920005');
  });

  it('that executes late, although it was annulled, is approved by the bank all the same', () => {
    const sale = request(920_006);
    execute(sale);
    expect(sandbox.acquirer.annul(sale.key)).toEqual({ kind: 'Annulled' });
    fixture.now += DEADLINE_MS + LATE_EXECUTION_MS;
    expect(found(sale.key)).toBe('Submitted G57');
    pass(DAY);
    expect(messages()).toEqual(['ANS-1 Approved']);
    const reversal = fixture.followUp('Reverse', sale.key, 920_006, { channel: 'Ach' });
    expect(execute(reversal)).toBe('Submitted G57');
    pass(DAY);
    expect(sandbox.ledger.net(sale.key)).toMatchObject({ captured: 920_006, voided: 920_006, net: 0 });
  });

  it('that was lost is annulled, and the bank never has it', () => {
    const sale = request(920_002);
    execute(sale);
    expect(sandbox.acquirer.annul(sale.key)).toEqual({ kind: 'Annulled' });
    pass(DAY);
    expect([execute(sale), messages()]).toEqual(['Declined G54', []]);
  });

  it('of an account that declines ignores the amount', () => {
    expect(execute(request(920_001, '000111111113'))).toBe('Submitted G57');
  });
});

describe('The bank', () => {
  it.each([
    ['000111111116', 'Declined R16'],
    ['000111111113', 'Declined R01'],
    ['999999996789', 'Declined R03'],
  ])('declines account %s after a day', (account, answer) => {
    const key = submitted(1_000, account);
    pass(DAY - 1);
    expect(found(key)).toBe('Submitted G57');
    pass(1);
    expect(found(key)).toBe(answer);
    expect(sandbox.ledger.entry(key)).toBeUndefined();
  });

  it('moves the money when it answers, even without an inquiry', () => {
    const [good, returned] = [submitted(), submitted(700, RETURNED)];
    expect([...sandbox.ledger.entries()]).toEqual([]);
    pass(DAY);
    expect(sandbox.ledger.net(good)).toMatchObject({ captured: 1_000, net: 1_000 });
    pass(3 * DAY);
    expect(sandbox.ledger.net(returned)).toMatchObject({ captured: 700, returned: 700, net: 0 });
  });

  it('does in the order of their times what falls due while the clock jumps', () => {
    const key = submitted(1_000, RETURNED);
    pass(DAY);
    const [before, after] = [refundOf(key, 400), refundOf(key, 300)];
    execute(before);
    pass(3 * DAY - HOUR);
    execute(after);
    pass(10 * DAY);
    expect([found(before.key), found(after.key)]).toEqual(['Approved 00 400', 'Declined 13']);
    expect(sandbox.ledger.net(key)).toMatchObject({ refunded: 400, returned: 1_000, net: -400 });
  });

  it('sends what it decided, and later the return', () => {
    submitted();
    submitted(1_000, RETURNED);
    submitted(1_000, '000333333335');
    expect(messages()).toEqual([]);
    pass(DAY);
    expect(messages()).toEqual([
      'ANS-1 Approved',
      'ANS-2 Approved',
      'ANS-3 Approved',
      'NOC-3 NoticeOfChange',
    ]);
    expect(messages()).toEqual([]);
    pass(3 * DAY);
    expect(messages()).toEqual(['RET-2 Returned']);
  });

  it('repeats its answers to every tenth payment, with stale ones after them', () => {
    for (let count = 1; count < 10; count++) submitted();
    submitted(1_000, RETURNED);
    pass(DAY);
    expect(messages()).toHaveLength(10);
    expect(messages()).toEqual(['ANS-10 Approved']);
    pass(1_000);
    expect(messages()).toEqual(['PND-10 Submitted']);
    pass(3 * DAY);
    expect(messages()).toEqual(['RET-10 Returned', 'ANS-10 Approved']);
    expect(messages()).toEqual(['RET-10 Returned']);
  });
});

describe('Messages of the bank', () => {
  it('go to one of several processes, and to another one if it does not acknowledge them', () => {
    const other = fixture.open();
    submitted();
    pass(DAY);
    expect(sandbox.bank.claimMessages(10)).toHaveLength(1);
    expect([other.bank.claimMessages(10), other.bank.countDueMessages()]).toEqual([[], 1]);
    fixture.now += 15_000;
    expect(messages(other)).toEqual(['ANS-1 Approved']);
    expect(sandbox.bank.countDueMessages()).toBe(0);
  });

  it('that were refused come again after a second', () => {
    submitted();
    pass(DAY);
    sandbox.bank.settleMessages({
      acknowledged: [],
      refused: sandbox.bank.claimMessages(10).map(({ id }) => id),
    });
    expect(messages()).toEqual([]);
    fixture.now += 1_000;
    expect(messages()).toEqual(['ANS-1 Approved']);
  });

  it('come in pages, oldest first, also after a restart', () => {
    for (let count = 0; count < 5; count++) submitted();
    pass(DAY);
    expect(sandbox.bank.countDueMessages()).toBe(5);
    expect(sandbox.bank.claimMessages(2).map(({ id }) => id)).toEqual(['ANS-1', 'ANS-2']);
    fixture.closeAll();
    sandbox = fixture.open();
    expect(messages()).toEqual(['ANS-3 Approved', 'ANS-4 Approved', 'ANS-5 Approved']);
  });
});
