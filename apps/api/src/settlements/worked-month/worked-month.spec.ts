import { dateInZone } from '@tillstream/domain';
import type { TestApi } from '../../testing/test.api.js';
import { cents, readWorkedMonth, type MonthEvent, type MonthPart } from './document.testing.js';
import { moveClock, Shop, startServiceAt, ZONE } from './shop.testing.js';
import { statementOf, type Statement } from './statement.testing.js';

/* Runs the month of `docs/worked-month.md`, and compares every figure of its tables. */

const MONTH_TIMEOUT_MS = 900_000;
const DAYS = 31;
const MERCHANTS = { Net: 'Maple Street Books', Gross: 'Maple Street Events' } as const;

const month = readWorkedMonth();
let api: TestApi;
const statements = new Map<string, Statement>();
/** Of the parts with `Gross` funding, before the month ended. */
const beforeTheEnd = new Map<string, Statement>();

interface Step {
  readonly at: string;
  readonly event?: MonthEvent;
  readonly part?: MonthPart;
}

/** All events of all parts in the order of time, each cut-off between them, and the end of the month. */
function stepsOf(parts: readonly MonthPart[]): Step[] {
  const events = parts.flatMap((part) => part.events.map((event): Step => ({ at: event.at, event, part })));
  const cutOffs = Array.from({ length: DAYS }, (_, day): Step => {
    // 22:00:01 in New York.
    return { at: new Date(Date.UTC(2026, 10, 2 + day, 3, 0, 1)).toISOString() };
  });
  // 00:00:01 on December 1.
  const monthEnd: Step = { at: '2026-12-01T05:00:01.000Z' };
  return [...events, ...cutOffs, monthEnd].sort((a, b) => a.at.localeCompare(b.at));
}

beforeAll(async () => {
  api = await startServiceAt('2026-11-01T13:00:00.000Z');
  const shops = {
    Net: await Shop.open(api, MERCHANTS.Net, 'Net'),
    Gross: await Shop.open(api, MERCHANTS.Gross, 'Gross'),
  };
  for (const shop of Object.values(shops)) for (const version of month.versions) await shop.price(version);
  const lastCutOff = '2026-12-01T03:00:01.000Z';
  for (const { at, event, part } of stepsOf(month.parts)) {
    if (event && part) await shops[part.fundingType].run(event, part);
    else await moveClock(api, at);
    if (at !== lastCutOff) continue;
    for (const one of month.parts)
      beforeTheEnd.set(one.title, await statementOf(api, shops[one.fundingType], one));
  }
  // The funding of the last settlements.
  await moveClock(api, '2026-12-02T06:00:00.000Z');
  for (const part of month.parts)
    statements.set(part.title, await statementOf(api, shops[part.fundingType], part));
}, MONTH_TIMEOUT_MS);
afterAll(() => api.stop());

const isMarkupAtTheCounter = ({ feeType, channel }: { feeType: string; channel?: string }): boolean =>
  feeType === 'Markup' && channel === 'CardPresent';

const found = (of: ReadonlyMap<string, Statement>, { title }: MonthPart): Statement => {
  const statement = of.get(title);
  if (!statement) throw new Error(`the month did not end for ${title}`);
  return statement;
};

it('the page has two versions of the prices, both currencies and both kinds of funding', () => {
  expect(month.versions.map(({ rules }) => rules.length)).toEqual([11, 11]);
  expect(month.parts.map(({ title }) => title)).toEqual([
    'US dollars, Net',
    'Canadian dollars, Net',
    'US dollars, Gross',
    'Canadian dollars, Gross',
  ]);
  expect(month.parts.map(({ events }) => events.length)).toEqual([38, 9, 5, 1]);
});

it('the second version of the prices changes the markup at the counter and the fee of the month alone', () => {
  const [first, second] = month.versions;
  const others = (rules: readonly object[] = []) =>
    rules.filter((rule) => !isMarkupAtTheCounter(rule as { feeType: string; channel?: string }));
  expect(others(second?.rules)).toEqual(others(first?.rules));
  expect(second).toMatchObject({ returnFee: first?.returnFee, chargebackFee: first?.chargebackFee });
});

it('the sentences of the page have no amount that its tables do not have', () => {
  expect(month.unknownAmounts).toEqual([]);
});

describe.each(month.parts.map((part) => [part.title, part] as const))('%s', (_title, part) => {
  it('is settled on the days of the page, and on no other', () => {
    const dates = found(statements, part).days.map(({ date }) => date);
    expect(dates).toEqual(part.days.map(({ date }) => date));
  });

  it.each(part.days.map((day) => [day.date, day] as const))('closes %s as on the page', (date, day) => {
    expect(found(statements, part).days.find((one) => one.date === date)).toEqual(day);
  });

  it('has the sums of the page', () => {
    const { totals, feesByType, feesByCard } = found(statements, part);
    expect({ totals, feesByType, feesByCard }).toEqual({
      totals: part.totals,
      feesByType: part.feesByType,
      feesByCard: part.feesByCard,
    });
  });

  it('has the same sums before the end of the month as after it', () => {
    const { totals, feesByType, feesByCard } = found(beforeTheEnd, part);
    expect({ totals, feesByType, feesByCard }).toEqual({
      totals: part.totals,
      feesByType: part.feesByType,
      feesByCard: part.feesByCard,
    });
  });

  it('is funded on the expected dates', () => {
    for (const { id, status, fundedAt = '', expectedFundingDate } of found(statements, part).settlements) {
      const shown = [id, status, status === 'Funded' && dateInZone(Date.parse(fundedAt), ZONE)];
      expect(shown).toEqual([id, 'Funded', expectedFundingDate]);
    }
  });

  it('charges fees when its funding says so', () => {
    const isGross = part.fundingType === 'Gross';
    for (const fee of found(beforeTheEnd, part).fees) {
      expect([fee.id, fee.status]).toEqual([fee.id, isGross ? 'Pending' : 'Charged']);
    }
    const { fees, settlements } = found(statements, part);
    const last = settlements.at(-1)?.id;
    for (const fee of fees) {
      expect([fee.id, fee.status]).toEqual([fee.id, 'Charged']);
      if (isGross) expect([fee.id, fee.settlementId]).toEqual([fee.id, last]);
    }
  });
});

describe('a page', () => {
  it.each(['1.5', '12.345', '-1.00', '1234.00', '–', ''])('with the amount "%s" is refused', (text) => {
    expect(() => cents(text)).toThrow('is no amount');
  });
});
