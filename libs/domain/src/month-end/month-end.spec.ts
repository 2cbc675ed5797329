import { ImpossibleHistory } from '../shared/aggregate.js';
import { addMonths, endOfMonth, monthOfDate, nextMonth } from './month.js';
import { assignMonth, chargeMonth, endMonth, foldMonthEnds, type MonthEndsState } from './month-end.js';
import { monthEndStream } from './month-end.events.js';
import {
  assigned,
  at,
  charged,
  ended,
  given,
  MERCHANT,
  monthEnded,
  monthlyFee,
} from './testing/month-ends.testing.js';

const end =
  (...of: Parameters<typeof monthEnded>) =>
  (state: MonthEndsState) =>
    endMonth(state, monthEnded(...of));
const assign = (month: string, batchId: string, instead?: string) => (state: MonthEndsState) =>
  assignMonth(state, { at, month, batchId }, instead);
const charge = (month: string) => (state: MonthEndsState) =>
  chargeMonth(state, { at, month, settlementId: 'stl_1' });

describe('A month', () => {
  it('ends once, whichever process is first', () => {
    given().when(end('2026-02')).then(ended('2026-02'));
    given(ended('2026-02'))
      .when(end('2026-02', { pendingFees: 1 }))
      .thenNothing();
    given(ended('2026-02')).when(end('2026-01')).thenNothing();
    // Its batches were counted before another process ended the month before.
    given(ended('2026-02')).when(end('2026-03')).thenNothing();
  });

  it('is followed by a later one, also if months between cost nothing', () => {
    const next = { batches: { first: 4, last: 3 } };
    given(ended('2026-02')).when(end('2026-05', next)).then(ended('2026-05', next));
  });

  it('is assigned to another batch only by who knows the one before', () => {
    given(ended('2026-02')).when(assign('2026-02', 'bat_1')).then(assigned('2026-02', 'bat_1'));
    const history = [ended('2026-02'), assigned('2026-02', 'bat_1')];
    given(...history)
      .when(assign('2026-02', 'bat_2', 'bat_1'))
      .then(assigned('2026-02', 'bat_2'));
    given(...history)
      .when(assign('2026-02', 'bat_1'))
      .thenNothing();
    given(...history, assigned('2026-02', 'bat_2'))
      .when(assign('2026-02', 'bat_3', 'bat_1'))
      .thenNothing();
  });

  it('is charged once, and others wait on', () => {
    const history = [
      ended('2026-02'),
      ended('2026-03', { batches: { first: 4, last: 9 } }),
      assigned('2026-02', 'bat_1'),
    ];
    given(...history)
      .when(charge('2026-02'))
      .then(charged('2026-02'));
    given(...history, charged('2026-02'))
      .when(charge('2026-02'))
      .thenNothing();
    expect(foldMonthEnds([...history, charged('2026-02')])).toMatchObject({
      lastMonth: '2026-03',
      lastBatchNumber: 9,
      uncharged: [{ month: '2026-03', adjustments: [monthlyFee('2026-03')] }],
    });
  });

  it('without adjustments waits for nothing', () => {
    expect(foldMonthEnds([ended('2026-02', { adjustments: [] })])).toMatchObject({ uncharged: [] });
  });
});

it.each([
  ['a month that ended before', [ended('2026-02'), ended('2026-02', { batches: { first: 4, last: 4 } })]],
  ['batches that leave one out', [ended('2026-02'), ended('2026-03', { batches: { first: 5, last: 6 } })]],
  ['batches of the month before', [ended('2026-02'), ended('2026-03', { batches: { first: 3, last: 6 } })]],
  ['a batch for a month that did not end', [assigned('2026-02', 'bat_1')]],
  ['a charge without a batch', [ended('2026-02'), charged('2026-02')]],
])('A history with %s is impossible', (_what, history) => {
  expect(() => foldMonthEnds(history)).toThrow(ImpossibleHistory);
});

it('A month is a text, and ends at midnight of the zone, also on the day of a clock change', () => {
  expect(monthOfDate('2026-02-28')).toBe('2026-02');
  expect([nextMonth('2026-02'), nextMonth('2026-12')]).toEqual(['2026-03', '2027-01']);
  expect([-24, -2, 0, 13].map((count) => addMonths('2026-02', count))).toEqual([
    '2024-02',
    '2025-12',
    '2026-02',
    '2027-03',
  ]);
  expect(() => nextMonth('2026-13')).toThrow(RangeError);
  const endOf = (month: string, zone: string) => new Date(endOfMonth(month, zone)).toISOString();
  expect(endOf('2026-02', 'America/New_York')).toBe('2026-03-01T05:00:00.000Z');
  expect(endOf('2026-10', 'America/New_York')).toBe('2026-11-01T04:00:00.000Z');
  expect(endOf('2026-12', 'America/St_Johns')).toBe('2027-01-01T03:30:00.000Z');
  // Apia had no 30 December 2011, and went into the new year a day early.
  expect(endOf('2011-12', 'Pacific/Apia')).toBe('2011-12-31T10:00:00.000Z');
});

it('The stream has the merchant and the currency', () => {
  expect(monthEndStream(MERCHANT, 'CAD')).toBe('monthend-01JQ0000000000000000000000.CAD');
  expect(monthEndStream('mer_1', 'CAD')).toBeUndefined();
});
