import { SandboxFixture } from '../sandbox.fixture.js';
import { readDailyRows } from '../ledger/ledger.reader.js';
import { dailyLines, readDailyFile, type DailyLine } from './daily-file.js';
import type { DailyRange, DailyRow } from './daily-file.rows.js';

const DAY = 24 * 3_600_000;

describe('The daily file of the sandbox', () => {
  let fixture: SandboxFixture;
  beforeEach(() => {
    fixture = new SandboxFixture();
  });
  afterEach(() => fixture.remove());

  const today = (): DailyRange => ({ from: fixture.now, to: fixture.now + DAY });
  const textOf = (lines: Iterable<DailyLine>): string[] => [...lines].map((line) => JSON.stringify(line));
  const read = async (lines: readonly string[]): Promise<DailyRow[]> => {
    const { rows } = await readDailyFile(asLines(lines));
    const all: DailyRow[] = [];
    for await (const row of rows()) all.push(row);
    return all;
  };
  async function* asLines(lines: readonly string[]): AsyncGenerator<string> {
    yield* lines;
  }
  const bankSale = () => {
    const { card: _none, ...sale } = fixture.card(2_000);
    return {
      ...sale,
      channel: 'Ach',
      bankAccount: { routingNumber: '110000000', accountNumber: '000222222227' },
    } as const;
  };

  it('has what was answered in its time, approved or declined, with its original', () => {
    const sandbox = fixture.open();
    const sale = fixture.card(1_000);
    sandbox.acquirer.execute(sale);
    sandbox.acquirer.execute(fixture.card(900_051));
    fixture.now += DAY;
    const refund = fixture.followUp('Void', sale.key, 300);
    sandbox.acquirer.execute(refund);
    const rows = [...sandbox.ledger.daily(today())];
    expect(rows).toMatchObject([
      {
        kind: 'Operation',
        key: refund.key,
        operation: 'Void',
        amount: 300,
        originalKey: sale.key,
        at: fixture.now,
      },
    ]);
    const before = [...sandbox.ledger.daily({ from: fixture.now - DAY, to: fixture.now })];
    expect(before.map((row) => row.kind === 'Operation' && row.answer.outcome)).toEqual([
      'Approved',
      'Declined',
    ]);
    expect([...(readDailyRows(fixture.file, today()) ?? [])]).toEqual(rows);
  });

  it('has a bank payment when it was submitted, when it was answered, and its return', () => {
    const sandbox = fixture.open();
    const sale = bankSale();
    sandbox.acquirer.execute(sale);
    expect([...sandbox.ledger.daily(today())]).toMatchObject([
      { key: sale.key, answer: { outcome: 'Submitted' } },
    ]);
    fixture.now += 5 * DAY;
    expect([...sandbox.ledger.daily(today())]).toMatchObject([
      { key: sale.key, answer: { outcome: 'Approved' } },
      { kind: 'Return', originalKey: sale.key, amount: 2_000, code: 'R01', reason: 'Insufficient funds' },
    ]);
  });

  it('is read as it was written', async () => {
    const sandbox = fixture.open();
    for (const amount of [100, 250, 375]) sandbox.acquirer.execute(fixture.card(amount));
    const rows = [...sandbox.ledger.daily(today())];
    expect(await read(textOf(dailyLines(today(), rows)))).toEqual(rows);
  });

  it('has no card number', () => {
    const sandbox = fixture.open();
    sandbox.acquirer.execute(fixture.card(100));
    expect(textOf(dailyLines(today(), sandbox.ledger.daily(today()))).join('')).not.toContain(
      '4242424242424242',
    );
  });

  it('is refused if a line is missing, changed or of another file', async () => {
    const sandbox = fixture.open();
    for (const amount of [100, 250]) sandbox.acquirer.execute(fixture.card(amount));
    const [header = '', first = '', second = '', count = ''] = textOf(
      dailyLines(today(), sandbox.ledger.daily(today())),
    );
    await expect(read([header, first, second])).rejects.toThrow('without its count');
    await expect(read([header, first, count])).rejects.toThrow('counts other rows');
    await expect(read([first, second, count])).rejects.toThrow('no header');
    await expect(read([])).rejects.toThrow('no header');
    await expect(read([header, 'PAN 4242', count])).rejects.toThrow('Line 2 is no JSON object');
    const wrong = first.replace('"approvedAmount":100', '"approvedAmount":"100"');
    await expect(read([header, wrong, second, count])).rejects.toThrow('answer.approvedAmount is wrong');
  });
});
