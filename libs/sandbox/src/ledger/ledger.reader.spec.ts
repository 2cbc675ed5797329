import { existsSync } from 'node:fs';
import { SandboxFixture } from '../sandbox.fixture.js';
import { readMovements } from './ledger.reader.js';

const DAY = 24 * 3_600_000;

describe("The reader of a sandbox's books", () => {
  let fixture: SandboxFixture;
  beforeEach(() => {
    fixture = new SandboxFixture();
  });
  afterEach(() => fixture.remove());

  const bankSale = () => {
    const { card: _none, ...sale } = fixture.card(2_000);
    const bankAccount = { routingNumber: '110000000', accountNumber: '000222222227' };
    return { ...sale, channel: 'Ach', bankAccount } as const;
  };

  it('reads each movement beside the open sandbox', () => {
    const sandbox = fixture.open();
    for (const amount of [100, 250, 375]) sandbox.acquirer.execute(fixture.card(amount));
    const movements = [...(readMovements(fixture.file) ?? [])];
    expect(movements.map(({ noticeUnderWay, ...movement }) => [movement, noticeUnderWay])).toEqual(
      [...sandbox.ledger.entries()].map((movement) => [movement, false]),
    );
    expect(movements).toHaveLength(3);
  });

  it('executes nothing that is due', () => {
    const sandbox = fixture.open();
    sandbox.acquirer.execute(bankSale());
    fixture.ahead += 5 * DAY;
    expect([...(readMovements(fixture.file) ?? [])]).toEqual([]);
    expect([...sandbox.ledger.entries()]).toHaveLength(2);
  });

  it('says of a return whether its notice was acknowledged', () => {
    const sandbox = fixture.open();
    sandbox.acquirer.execute(bankSale());
    fixture.ahead += 5 * DAY;
    // The answer, then the return that follows from it.
    const claimed = [...sandbox.bank.claimMessages(100), ...sandbox.bank.claimMessages(100)];
    const notices = () =>
      [...(readMovements(fixture.file) ?? [])].map(({ kind, noticeUnderWay }) => [kind, noticeUnderWay]);
    expect(notices().sort()).toEqual([
      ['Captured', false],
      ['Returned', true],
    ]);
    sandbox.bank.settleMessages({ acknowledged: claimed.map(({ id }) => id), refused: [] });
    expect(notices().sort()).toEqual([
      ['Captured', false],
      ['Returned', false],
    ]);
  });

  it('makes no file', () => {
    expect(readMovements(fixture.file)).toBeUndefined();
    expect(existsSync(fixture.file)).toBe(false);
  });
});
