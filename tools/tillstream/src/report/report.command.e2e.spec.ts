import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BatchClosing } from '@tillstream/contracts';
import { ServiceFixture } from './service.fixture.js';

const LIMIT_MS = 180_000;
/** More than a page of a list has. */
const SALES = 110;
const REPORT = ['report', 'settlement', '--currency', 'USD'] as const;

let service: ServiceFixture;
let month: string;
/** When everything was settled. */
let settledAt: string;
let grossId: string;
let keyFile: string;

const sell = async (amount: number, key?: string): Promise<string> =>
  (await service.post<{ id: string }>('/transactions/physical-sale', { amount }, key)).id;
const close = async (merchantId = service.facts.merchantId): Promise<string> => {
  const body = { currency: 'USD' };
  const { data } = await service.operate<BatchClosing>(`/merchants/${merchantId}/batches/close`, body);
  return (data[0]?.id ?? '').replace('bat_', 'stl_');
};
/** The service's clock, in the merchant's zone. */
const monthIn = (time: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/New_York' }).format(new Date(time)).slice(0, 7);

beforeAll(async () => {
  service = await ServiceFixture.start();
  const ids: string[] = [];
  for (let count = 0; count < SALES; count++) ids.push(await sell(1_000 + count));
  await close();
  await service.post('/transactions/refund', { originalTransactionId: ids[0], amount: 400 });
  await service.operate(`/transactions/${ids[1]}/chargebacks`, { amount: 1_001, reason: '10.4' });
  const negative = await close();
  await service.operate(`/settlements/${negative}/fund`, {});
  await openGross();
  settledAt = new Date().toISOString();
  month = monthIn(settledAt);
}, LIMIT_MS);

/** A merchant with Gross funding, one sale, and a key for finance in a file. */
async function openGross(): Promise<void> {
  const { operate } = service;
  const body = { name: 'Maple & <Events>', fundingType: 'Gross', locale: 'fr-CA' };
  const { id } = await operate<{ id: string }>('/merchants', body);
  await operate(`/merchants/${id}/terminals`, { currency: 'USD', isDefault: true });
  const template = {
    name: 'One percent',
    monthlyFee: 300,
    rules: [{ feeType: 'Markup', rateBps: 100, fixedAmount: 5 }],
  };
  const made = await operate<{ id: string }>(`/merchants/${id}/pricing-templates`, template);
  await operate(`/pricing-templates/${made.id}/approve`, {});
  const keyOf = async (name: string, readOnly: boolean): Promise<string> =>
    (await operate<{ key: string }>(`/merchants/${id}/api-keys`, { name, readOnly })).key;
  await sell(20_000, await keyOf('Till', false));
  await close(id);
  grossId = id;
  keyFile = join(service.directory, 'key');
  writeFileSync(keyFile, `${await keyOf('Finance', true)}\n`);
}

const gross = (of: string) =>
  service.run([...REPORT, '--month', of, '--merchant', grossId, '--key-file', keyFile]);
/** With ordinary spaces. */
const plain = (text: string): string => text.replace(/[\u00a0\u202f]/g, ' ');
afterAll(() => service.stop());

/** The amounts of the row that begins with a text, as they are shown. */
function row(page: string, table: string, head: string): string[] {
  const region = new RegExp(`aria-label="${table}"[^]*?</table>`).exec(page)?.[0] ?? '';
  const rows = region.split('<tr>').map((one) =>
    one
      .replace(/<[^>]*>/g, '|')
      .split('|')
      .map((cell) => cell.trim()),
  );
  return rows.map((cells) => cells.filter((cell) => cell !== '')).find(([first]) => first === head) ?? [];
}

const GROSS = SALES * 1_000 + (SALES * (SALES - 1)) / 2;
const dollars = (cents: number): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(cents / 100);
/** The demo's prices at the counter: 1.50 % + 0.10, 0.14 % + 0.02 and 0.30 % + 0.10. */
function demoFee(amount: number): number {
  const halfEven = (bps: number): number => {
    const [whole, rest] = [Math.floor((amount * bps) / 10_000), (amount * bps) % 10_000];
    return rest > 5_000 || (rest === 5_000 && whole % 2 === 1) ? whole + 1 : whole;
  };
  return halfEven(150) + 10 + halfEven(14) + 2 + halfEven(30) + 10;
}
const FEES = Array.from({ length: SALES }, (_, count) => demoFee(1_000 + count)).reduce(
  (sum, fee) => sum + fee,
  0,
);
const CHARGEBACK_FEE = 1_500;

describe('report settlement', () => {
  it(
    'writes a month whose totals are those of all its rows, over several pages of lists',
    async () => {
      const out = join(service.directory, 'month.html');
      const { code, err, out: printed } = await service.run([...REPORT, '--month', month, '--out', out]);
      expect([code, printed]).toEqual([0, '']);
      const net = GROSS - 400 - FEES - CHARGEBACK_FEE - 1_001;
      expect(err).toContain(
        `2 settlements of ${SALES + 2} transactions, gross ${dollars(GROSS)}, paid out ${dollars(net)}`,
      );
      const page = readFileSync(out, 'utf8');
      expect(page).toContain('Maple Street Books');
      expect(row(page, 'Day by day', 'Month')).toEqual([
        ...['Month', '2', String(SALES + 2), dollars(GROSS), dollars(-400)],
        ...[-FEES - CHARGEBACK_FEE, -1_001, net].map(dollars),
      ]);
      expect(row(page, 'Fees by card type', 'VISA').slice(0, 2)).toEqual(['VISA', String(SALES)]);
      expect(row(page, 'Fees by card type', 'VISA').at(-1)).toBe(dollars(FEES));
      expect(row(page, 'Fees by type', 'Chargebacks')).toEqual(['Chargebacks', '1', dollars(CHARGEBACK_FEE)]);
      expect(row(page, 'Funding', 'Funded')).toEqual([
        ...[
          'Funded',
          '1',
          dollars(-400 - 1_001 - CHARGEBACK_FEE),
          '1',
          dollars(-400 - 1_001 - CHARGEBACK_FEE),
        ],
      ]);
      expect(row(page, 'Funding', 'Pending')[2]).toBe(dollars(GROSS - FEES));
      expect(page.match(/<span class="flag negative">/g)).toHaveLength(1);
    },
    LIMIT_MS,
  );

  it(
    'shows the month as it was at an earlier time',
    async () => {
      const before = new Date(Date.parse(settledAt) - 3_600_000).toISOString();
      const earlier = await service.run([...REPORT, '--month', month, '--as-of', before]);
      expect([earlier.code, earlier.err]).toEqual([
        0,
        expect.stringContaining('0 settlements of 0 transactions'),
      ]);
      expect(earlier.out).toContain(`as of ${before}`);
      const after = await service.run([...REPORT, '--month', month, '--as-of', settledAt]);
      expect(after.err).toContain('2 settlements');
    },
    LIMIT_MS,
  );

  it.each([
    [
      'a row',
      '/settlements/transactions',
      (text: string) => text.replace('"settledAmount":1050', '"settledAmount":1051'),
    ],
    [
      'a fee',
      '/fee-charges',
      (text: string) =>
        text.replace(/"source":"Transaction"(.*?)"amount":\d+/, '"source":"Transaction"$1"amount":9'),
    ],
    [
      'the fees of a chargeback',
      '/fee-charges',
      (text: string) => text.replace('"amount":1500', '"amount":1499'),
    ],
    ['a total', '/settlements?', (text: string) => text.replace(/"grossAmount":1\d+/, '"grossAmount":1')],
    [
      'the number of transactions',
      '/settlements?',
      (text: string) => text.replace(/"transactionCount":\d+/, '"transactionCount":7'),
    ],
  ])(
    'ends with 1 if %s is not what the settlement says, prints it, and shows it on the page',
    async (_what, path, change) => {
      const url = await service.changed((asked, body) =>
        asked.startsWith(`/v1${path}`) ? change(body) : body,
      );
      const { code, out, err } = await service.run([...REPORT, '--month', month, '--url', url]);
      expect([code, err]).toEqual([
        1,
        expect.stringMatching(
          /^NOT EQUAL: stl_\w+: .* (?:is .*, and its rows give .*|not the sum of their lines)\.$/m,
        ),
      ]);
      expect(out).toContain('This report is not right');
    },
    LIMIT_MS,
  );

  it(
    'of a merchant with Gross funding has fees that are not charged yet, and reads its key from a file',
    async () => {
      const { code, out, err } = await gross(month);
      expect([code, plain(err)]).toEqual([0, expect.stringContaining('paid out 200,00')]);
      expect(out).toContain('Maple &amp; &lt;Events&gt;');
      expect(plain(out)).toMatch(/<dt>Fees not charged yet<\/dt>\s*<dd>2,05/);
      const { merchantId } = service.facts;
      const wrong = await service.run([
        ...REPORT,
        ...['--month', month, '--merchant', merchantId, '--key-file', keyFile],
      ]);
      expect([wrong.code, wrong.err]).toEqual([1, `The key is of ${grossId}, and not of ${merchantId}.`]);
    },
    LIMIT_MS,
  );

  it('says in one sentence what is missing or wrong', async () => {
    const elsewhere = { DATA_DIR: join(service.directory, 'none') };
    const key = { TILLSTREAM_API_KEY: `sk_test_${'a'.repeat(32)}` };
    const { origin } = new URL(service.facts.baseUrl);
    const cases = [
      [elsewhere, [], 1, "Give the merchant's API key in TILLSTREAM_API_KEY"],
      [
        { ...elsewhere, ...key },
        [],
        1,
        'Give --merchant on the machine that has its data directory, or --time-zone.',
      ],
      [{ TILLSTREAM_API_KEY: 'hunter2' }, [], 1, 'That is no API key of a merchant'],
      [{}, ['--key-file', '/none'], 1, 'There is no file of that name for --key-file.'],
      [
        { ...elsewhere, ...key },
        ['--time-zone', 'UTC', '--url', origin],
        1,
        'GET /settlements was answered with 401, code 1000',
      ],
      [
        { ...elsewhere, ...key },
        ['--time-zone', 'UTC', '--url', 'http://127.0.0.1:1'],
        1,
        'was not answered: ',
      ],
      [{}, ['--month', '2026-13'], 2, 'Allowed is a month such as 2026-11.'],
      [{}, ['--time-zone', 'Mars/Olympus'], 2, 'Allowed is a time zone'],
      [{}, ['--locale', '!'], 2, 'Allowed is a language tag'],
      [{}, ['--url', 'ftp://host'], 2, 'That is no address of a service'],
      [{}, ['--out', '/none/page.html'], 2, 'does not exist; make it first'],
    ] as const;
    for (const [environment, args, expected, sentence] of cases) {
      const given = args.includes('--month' as never) ? args : ['--month', month, ...args];
      const { code, err } = await service.run([...REPORT, ...given], environment);
      expect([args, code, err]).toEqual([args, expected, expect.stringContaining(sentence)]);
      expect(err).not.toMatch(/hunter2|a{16}/);
    }
  });

  it(
    'after the end of the month shows its fees as charged, and them and the fee of the month in the next one',
    async () => {
      const [year = 0, number = 1] = month.split('-').map(Number);
      const next = new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 7);
      // The month ends, and then the batch that has its fees is closed.
      for (const day of ['01', '02']) {
        const to = `${next}-${day}T12:00:00.000Z`;
        const { pending } = await service.operate<{ pending: number }>('/sandbox/clock', { to });
        expect(pending).toBe(0);
      }
      const before = await gross(month);
      expect([before.code, before.out]).toEqual([0, expect.not.stringContaining('Fees not charged yet')]);
      expect(plain(before.out)).toContain('2,05 $ US of these are not taken off the settlements');
      const after = await gross(next);
      expect([after.code, plain(after.err)]).toEqual([0, expect.stringContaining('paid out -5,05')]);
      expect(row(plain(after.out), 'What the settlements consist of', `Fees of ${month}`)[2]).toMatch(
        /^-2,05/,
      );
      expect(row(plain(after.out), 'What the settlements consist of', `Monthly fee of ${month}`)[2]).toMatch(
        /^-3,00/,
      );
      const net = await service.run([...REPORT, '--month', next]);
      expect([net.code, net.err]).toEqual([0, expect.stringContaining('paid out -$9.95')]);
      expect(row(net.out, 'Fees by type', 'Month')).toEqual(['Month', '1', '$9.95']);
    },
    LIMIT_MS,
  );
});
