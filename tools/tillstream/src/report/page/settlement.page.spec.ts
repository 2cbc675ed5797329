import { differencesOf } from '../month.check.js';
import { busyMonth, monthOf } from '../month.fixture.js';
import { reportOf } from '../month.report.js';
import { scaleOf } from './chart.js';
import { formatsOf } from './formats.js';
import { html, Markup } from './markup.js';
import { settlementPage, type PageFacts } from './settlement.page.js';

const FACTS: PageFacts = {
  ...{ month: '2026-11', currency: 'USD', timeZone: 'America/New_York', locale: 'en-US' },
  ...{ merchantId: 'mer_0', merchantName: 'Maple Street Books', asOf: undefined },
  ...{ readAt: '2026-12-01T12:00:00.000Z', differences: [] },
};

describe('markup', () => {
  it('escapes every value, in elements and in attributes', () => {
    const evil = `"><script>alert('x')</script>&`;
    const { text } = html`<p title="${evil}">${evil} ${[evil, 1]}</p>`;
    expect(text).not.toContain('<script');
    expect(text).toContain('&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;');
    expect(html`${undefined}|${0}|${new Markup('<b>')}|${[]}`.text).toBe('|0|<b>|');
  });
});

describe('the page of a month', () => {
  it('says what is in it, once for each settlement and day', () => {
    const reading = busyMonth();
    const page = settlementPage(reportOf(reading, '2026-11'), FACTS);
    expect(page).toContain('<h1>Settlements of November 2026, USD</h1>');
    expect(page.match(/class="id">stl_/g)).toHaveLength(reading.settlements.length);
    expect(page.match(/<span class="flag negative">negative<\/span>/g)).toHaveLength(1);
    expect(page).toContain('all are equal');
    expect(page).not.toContain('NaN');
    expect(page).not.toContain('undefined');
  });

  it('loads nothing, and says so to the browser', () => {
    const page = settlementPage(reportOf(busyMonth(), '2026-11'), FACTS);
    expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
    expect(page).not.toMatch(/https?:|<script|<link|<img|@import|url\((?!#)/);
  });

  it('escapes the name of the merchant, and what was different', () => {
    const evil = '<img src=x onerror=alert(1)>';
    const facts = { ...FACTS, merchantName: evil, differences: [evil] };
    const page = settlementPage(reportOf(busyMonth(), '2026-11'), facts);
    expect(page).not.toContain('<img');
    expect(page.match(/&lt;img src=x onerror=alert\(1\)&gt;/g)).toHaveLength(2);
    expect(page).toContain('This report is not right');
  });

  it('shows 50 differences, and how many more there are', () => {
    const differences = Array.from({ length: 53 }, (_, index) => `difference ${index}.`);
    const page = settlementPage(reportOf(busyMonth(), '2026-11'), { ...FACTS, differences });
    expect(page.match(/<li>difference/g)).toHaveLength(50);
    expect(page).toContain('and 3 more');
  });

  it('of a month without settlements is a page too', () => {
    const page = settlementPage(reportOf(monthOf([]), '2026-02'), { ...FACTS, month: '2026-02' });
    expect(page).toContain('Nothing was settled in this month.');
    expect(page.match(/<text class="day"/g)).toHaveLength(28 + 1);
  });

  it('writes amounts as the locale does', () => {
    const days = [{ day: '2026-11-03', sales: [123_456] }];
    const report = reportOf(monthOf(days, 'Gross'), '2026-11');
    const page = settlementPage(report, { ...FACTS, currency: 'CAD', locale: 'fr-CA' });
    expect(page.replaceAll('\u00a0', ' ')).toContain('<dd>1 234,56 $</dd>');
    expect(formatsOf('en-US', 'USD').amount(-0)).toBe('$0.00');
  });

  it('says with Gross funding which fees are not taken off', () => {
    const report = reportOf(monthOf([{ day: '2026-11-03', sales: [10_000] }], 'Gross'), '2026-11');
    expect(report.totals).toMatchObject({ gross: 10_000, fees: 0, feesOfMonth: 195, net: 10_000 });
    const page = settlementPage(report, FACTS).replace(/\s+/g, ' ');
    expect(page).toContain('$1.95 of these are not taken off the settlements');
    expect(page).toContain('<dt>Fees not charged yet</dt>');
  });
});

describe('the scale of the chart', () => {
  const days = (...net: number[]) =>
    reportOf(
      monthOf(
        net.map((amount, index) => ({
          day: `2026-11-0${index + 1}`,
          sales: amount > 0 ? [amount] : [],
          refunds: amount < 0 ? [-amount] : [],
        })),
        'Gross',
      ),
      '2026-11',
    ).days;

  it.each([
    [[1_000], [0, 200, 400, 600, 800, 1_000]],
    [
      [700, -300],
      [-400, -200, 0, 200, 400, 600, 800],
    ],
    [[0], [0, 20]],
    [[-5_000], [-5_000, -4_000, -3_000, -2_000, -1_000, 0, 1_000]],
    [[99_999_999_999], [0, 20_000_000_000, 40_000_000_000, 60_000_000_000, 80_000_000_000, 100_000_000_000]],
  ])('of %j has the ticks %j', (amounts, ticks) => {
    const scale = scaleOf(days(...amounts));
    expect(scale.ticks).toEqual(ticks);
    const [first = 0, last = 0] = [scale.ticks[0], scale.ticks.at(-1)];
    expect(scale.y(first)).toBeGreaterThan(scale.y(last));
  });
});

describe('the comparison with the rows', () => {
  const [part] = monthOf([{ day: '2026-11-03', sales: [10_000, 2_000], refunds: [500] }]).settlements;
  if (!part) throw new Error('a month with one settlement');
  const differences = (summary: object, more: object = {}) =>
    differencesOf({ ...part, ...more, summary: { ...part.summary, ...summary } }, String);

  it('finds nothing in a settlement that is right', () => {
    expect(differences({})).toEqual([]);
  });

  it.each([
    ['grossAmount', { grossAmount: 12_001 }, 'its grossAmount is 12001, and its rows give 12000.'],
    ['refundAmount', { refundAmount: 499 }, 'its refundAmount is -499, and its rows give -500.'],
    ['feeAmount', { feeAmount: 1 }, 'its feeAmount is 1, and its rows give 246.'],
    ['adjustmentAmount', { adjustmentAmount: -1 }, 'its adjustmentAmount is -1, and its rows give 0.'],
    ['amount', { amount: 0 }, 'its amount is 0, and its rows give 11254.'],
    ['netAmount', { netAmount: 0 }, 'its netAmount is 0, and its rows give 11254.'],
    ['transactionCount', { transactionCount: 4 }, 'its transactions is 4, and its rows give 3.'],
  ])('finds a wrong %s, and nothing else', (_name, wrong, sentence) => {
    expect(differences(wrong)).toEqual([`${part.summary.id}: ${sentence}`]);
  });

  it('finds a line that does not fit', () => {
    const lines = part.lines.map((line) => (line.type === 'Refunds' ? { ...line, amount: -400 } : line));
    expect(differences({}, { lines })).toEqual([
      `${part.summary.id}: its amount by its lines is 11354, and its rows give 11254.`,
      `${part.summary.id}: its line of refunds is -400, and its rows give -500.`,
    ]);
  });

  it('finds fees of a month that are not those that name the settlement', () => {
    const lines = [{ type: 'MonthFees', description: 'Fees of 2026-10', count: 1, amount: -100 }];
    const sum = (amount: number) => ({ count: 1, amount });
    const gross = {
      ...part,
      lines: lines as never,
      rows: { sales: sum(0), refunds: sum(0), returns: sum(0), chargebacks: sum(0) },
      chargedHere: { month: sum(90), monthly: { count: 0, amount: 0 } },
    };
    expect(differencesOf(gross, String)).toContain(
      `${part.summary.id}: its line of the fees of a month is 100, and its rows give 90.`,
    );
  });
});
