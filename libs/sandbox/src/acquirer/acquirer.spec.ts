import { readFileSync } from 'node:fs';
import { openDatabase } from '@tillstream/sqlite-driver';
import type { CardRequest } from './acquirer.types.js';
import { reactionSummary, SandboxFixture, START } from '../sandbox.fixture.js';
import type { Sandbox } from '../sandbox.js';

let fixture: SandboxFixture;
let sandbox: Sandbox;
beforeEach(() => {
  fixture = new SandboxFixture();
  sandbox = fixture.open();
});
afterEach(() => fixture.remove());

const withCard = (number: string, rest: Partial<NonNullable<CardRequest['card']>> = {}, zipCode?: string) =>
  sandbox.acquirer.execute(
    fixture.card(1_000, {
      card: { number, expDate: '1234', cvv: '123', ...rest },
      ...(zipCode !== undefined && { zipCode }),
    }),
  );
const facts = (reaction: ReturnType<typeof withCard>) => {
  if (reaction.kind !== 'Answered') throw new Error(reaction.kind);
  return reaction.answer;
};

describe('Cards', () => {
  const declines: [string, string][] = [
    ['4000000000000002', '05'],
    ['4000000000009995', '51'],
    ['4000000000000069', '54'],
    ['4100000000000019', '59'],
    ['4000000000000119', '91'],
    ['4000000000000127', '14'],
    ['4000000000006918', '91'],
    ['4000000000006926', 'G0'],
    ['4506440000000009', '14'],
    ['4111111111111111', '14'],
  ];
  it.each(declines)('%s is declined with %s', (number, code) => {
    expect(reactionSummary(withCard(number))).toBe(`Declined ${code}`);
  });

  const results: [string, string, string][] = [
    ['4242424242424242', 'Y', 'M'],
    ['4000000000000101', 'Y', 'N'],
    ['4000000000000127', 'Y', 'N'],
    ['4000000000000010', 'N', 'M'],
    ['4000000000000028', 'Z', 'M'],
    ['4000000000000036', 'A', 'M'],
    ['4000000000000044', 'U', 'M'],
  ];
  it.each(results)('%s has AVS %s and CVV %s', (number, avs, cvv) => {
    expect(facts(withCard(number))).toMatchObject({ avsResult: avs, cvvResult: cvv });
  });

  const zips: [string, string][] = [
    ['99901', 'E'],
    ['99902', 'R'],
    ['99903', 'S'],
    ['99904', 'G'],
    ['99905-0005', 'W'],
    ['99906-0006', 'X'],
  ];
  it.each(zips)('ZIP %s has AVS %s', (zip, avs) => {
    expect(facts(withCard('4242424242424242', {}, zip)).avsResult).toBe(avs);
  });

  const cvvs: [string, string, string][] = [
    ['4242424242424242', '981', 'P'],
    ['4242424242424242', '982', 'S'],
    ['4242424242424242', '983', 'U'],
    ['378282246310005', '9810', 'P'],
  ];
  it.each(cvvs)('%s with CVV %s has result %s', (number, cvv, result) => {
    expect(facts(withCard(number, { cvv })).cvvResult).toBe(result);
  });

  it('a card sent without a CVV has no result for it', () => {
    expect(facts(sandbox.acquirer.execute(storedCard()))).not.toHaveProperty('cvvResult');
  });
  const storedCard = () =>
    fixture.card(1_000, { channel: 'Token', card: { number: '4242424242424242', expDate: '1234' } });

  it("a card is valid to the end of its month by the service's clock", () => {
    expect(reactionSummary(withCard('4242424242424242', { expDate: '0130' }))).toBe('Approved 00 1000');
    fixture.setServiceTime(Date.UTC(2030, 1, 1));
    expect(reactionSummary(withCard('4242424242424242', { expDate: '0130' }))).toBe('Declined 54');
  });

  it('debit cards have the funding type Debit', () => {
    expect(facts(withCard('4000056655665556')).card).toMatchObject({ fundingType: 'Debit' });
  });
});

describe('Keys', () => {
  it('a key executes once, even if another request has it later', () => {
    const request = fixture.card(1_000);
    const first = sandbox.acquirer.execute(request);
    expect(fixture.open().acquirer.execute({ ...request, amount: 2_000 })).toEqual(first);
    expect(sandbox.ledger.entry(request.key)?.amount).toBe(1_000);
  });

  it('an annulled key is refused for ever', () => {
    const request = fixture.card(1_000);
    expect(sandbox.acquirer.annul(request.key)).toEqual({ kind: 'Annulled' });
    expect(reactionSummary(fixture.open().acquirer.execute(request))).toBe('Declined G54');
    expect(sandbox.acquirer.inquire(request.key)).toEqual({ kind: 'NotFound' });
  });

  it('the file itself refuses a second movement of a key, and any change to one', () => {
    const request = fixture.card(1_000);
    sandbox.acquirer.execute(request);
    const raw = openDatabase(fixture.file);
    expect(() => raw.exec('UPDATE movement SET amount = 1')).toThrow('append-only');
    expect(() => raw.exec('DELETE FROM movement')).toThrow('append-only');
    expect(() => raw.exec('INSERT INTO movement SELECT * FROM movement')).toThrow('UNIQUE');
    raw.close();
  });
});

describe('The open amount at the acquirer', () => {
  const execute = (...request: Parameters<SandboxFixture['followUp']>) =>
    reactionSummary(sandbox.acquirer.execute(fixture.followUp(...request)));
  const paid = (operation: CardRequest['operation'], amount: number) => {
    const request = fixture.card(amount, { operation });
    sandbox.acquirer.execute(request);
    return request.key;
  };

  it('captures and releases never exceed the authorized amount', () => {
    const key = paid('Authorize', 1_000);
    expect(execute('Capture', key, 600)).toBe('Approved 00 600');
    expect(execute('Void', key, 401)).toBe('Declined 13');
    expect(execute('Void', key, 300)).toBe('Approved 00 300');
    expect(execute('Capture', key, 101)).toBe('Declined 13');
    expect(execute('Reverse', key, 100)).toBe('Approved 00 100');
    expect(sandbox.ledger.net(key)).toEqual({
      root: key,
      merchantId: 'mer_1',
      currency: 'USD',
      authorized: 1_000,
      captured: 600,
      released: 400,
      refunded: 0,
      voided: 0,
      credited: 0,
      returned: 0,
      net: 600,
    });
  });

  it('refunds and voids never exceed a captured amount, also after a partial approval', () => {
    const half = paid('Sale', 900_010);
    expect(execute('Refund', half, 450_006)).toBe('Declined 13');
    expect(execute('Refund', half, 200_000)).toBe('Approved 00 200000');
    expect(execute('Void', half, 250_006)).toBe('Declined 13');
    expect(execute('Void', half, 250_005)).toBe('Approved 00 250005');
  });

  it('voiding a capture does not make it capturable again', () => {
    const key = paid('Authorize', 1_000);
    const capture = fixture.followUp('Capture', key, 1_000);
    sandbox.acquirer.execute(capture);
    expect(execute('Void', capture.key, 1_000)).toBe('Approved 00 1000');
    expect(execute('Capture', key, 1)).toBe('Declined 13');
    expect(sandbox.ledger.net(key)).toMatchObject({ captured: 1_000, voided: 1_000, net: 0 });
  });

  it('a follow-up of a fully voided or released original is declined with 21', () => {
    const sale = paid('Sale', 1_000);
    execute('Void', sale, 1_000);
    expect(execute('Refund', sale, 1)).toBe('Declined G21');
    const auth = paid('Authorize', 1_000);
    execute('Void', auth, 1_000);
    expect(execute('Capture', auth, 1)).toBe('Declined G21');
  });

  it('a follow-up of an unknown, declined or foreign original, or of another currency or kind, is declined with 20', () => {
    const sale = paid('Sale', 1_000);
    expect(execute('Refund', 'trx_unknown.1', 1)).toBe('Declined G20');
    expect(execute('Refund', paid('Sale', 900_051), 1)).toBe('Declined G20');
    expect(execute('Refund', sale, 1, { merchantId: 'mer_2' })).toBe('Declined G20');
    expect(execute('Refund', sale, 1, { currency: 'CAD' })).toBe('Declined G20');
    expect(execute('Capture', sale, 1)).toBe('Declined G20');
    expect(execute('Refund', paid('Authorize', 1_000), 1)).toBe('Declined G20');
  });

  it('an unreferenced refund can be reversed', () => {
    const key = paid('UnreferencedRefund', 1_000);
    expect(sandbox.ledger.net(key)).toMatchObject({ credited: 1_000, net: -1_000 });
    expect(execute('Reverse', key, 1_000)).toBe('Approved 00 1000');
    expect(sandbox.ledger.net(key)).toMatchObject({ credited: 0, net: 0 });
  });

  it('an authorization of 0.00 moves nothing', () => {
    const request = fixture.card(0, { operation: 'Authorize' });
    expect(reactionSummary(sandbox.acquirer.execute(request))).toBe('Approved 00 0');
    expect(sandbox.ledger.entry(request.key)).toBeUndefined();
  });

  it('the audit reads every movement once, page by page, and one net for each payment', () => {
    const keys = Array.from({ length: 1_500 }, () => paid('Sale', 100));
    execute('Refund', keys[0] ?? '', 40);
    expect([...sandbox.ledger.entries()]).toHaveLength(1_501);
    const nets = [...sandbox.ledger.nets()];
    expect(nets.map(({ root }) => root)).toEqual(keys);
    expect(nets[0]).toMatchObject({ captured: 100, refunded: 40, net: 60 });
  });
});

describe('The file', () => {
  it('has no card number, also after a terminal was set to one', () => {
    sandbox.terminals.set('pmt_trm_1', { mode: 'Auto', card: '5555555555554444' });
    sandbox.acquirer.execute(fixture.terminal(1_000));
    withCard('4242424242424242');
    fixture.closeAll();
    const bytes = readFileSync(fixture.file).toString('latin1');
    expect(bytes).toContain('************4444');
    expect(bytes).not.toMatch(/5555555555554444|4242424242424242/);
  });

  it('has real time, not the time of the advanced clock', () => {
    fixture.ahead += 86_400_000;
    const request = fixture.card(1_000);
    sandbox.acquirer.execute(request);
    expect(sandbox.ledger.entry(request.key)?.at).toBe(START);
  });
});
