import fc from 'fast-check';
import { nextCutOff } from '../batch/index.js';
import { addBusinessDays, dateInZone, expectedFunding, isBusinessDay, startOfDate } from './funding-date.js';

const none = new Set<string>();
const newYork = 'America/New_York';
const funding = (kind: 'Card' | 'Bank', cutOffAt: string, holidays = none, timeZone = newYork) =>
  expectedFunding(kind, { cutOffAt, timeZone }, holidays);

describe('the expected funding date', () => {
  it('is the next business day for cards and the third for bank payments', () => {
    // Thursday, 22:00 in New York.
    expect(funding('Card', '2026-03-06T03:00:00.000Z').expectedFundingDate).toBe('2026-03-06');
    expect(funding('Bank', '2026-03-06T03:00:00.000Z').expectedFundingDate).toBe('2026-03-10');
  });

  it('counts neither weekends nor bank holidays', () => {
    const holidays = new Set(['2026-12-25', '2027-01-01']);
    expect(funding('Card', '2026-12-25T03:00:00.000Z', holidays).expectedFundingDate).toBe('2026-12-28');
    expect(funding('Bank', '2026-12-31T03:00:00.000Z', holidays).expectedFundingDate).toBe('2027-01-05');
  });

  it('is counted from the merchant’s own date', () => {
    const cutOffAt = '2026-03-06T06:00:00.000Z';
    expect(funding('Card', cutOffAt).expectedFundingDate).toBe('2026-03-09');
    expect(funding('Card', cutOffAt, none, 'America/Vancouver').expectedFundingDate).toBe('2026-03-06');
  });

  it('begins at midnight of the merchant, also in the nights of the clock change', () => {
    expect(funding('Card', '2026-03-06T03:00:00.000Z').fundingDueAt).toBe('2026-03-06T05:00:00.000Z');
    expect(funding('Card', '2026-03-08T03:00:00.000Z').fundingDueAt).toBe('2026-03-09T04:00:00.000Z');
    expect(funding('Card', '2026-11-01T02:00:00.000Z').fundingDueAt).toBe('2026-11-02T05:00:00.000Z');
    expect(new Date(startOfDate('2026-11-01', newYork)).toISOString()).toBe('2026-11-01T04:00:00.000Z');
  });

  it.each([
    ['02:30 in spring', '2026-03-07T17:00:00.000Z', '02:30', '2026-03-09', '2026-03-11T04:00:00.000Z'],
    ['01:30 in autumn', '2026-10-31T16:00:00.000Z', '01:30', '2026-11-02', '2026-11-04T05:00:00.000Z'],
  ])('is counted from a Sunday whose cut-off is at %s', (_when, from, cutOff, card, bankDueAt) => {
    const cutOffAt = new Date(nextCutOff(Date.parse(from), newYork, cutOff)).toISOString();
    expect(funding('Card', cutOffAt).expectedFundingDate).toBe(card);
    expect(funding('Bank', cutOffAt).fundingDueAt).toBe(bankDueAt);
  });

  it('begins at the first instant of a date whose midnight the clocks skip', () => {
    expect(new Date(startOfDate('2023-10-01', 'America/Asuncion')).toISOString()).toBe(
      '2023-10-01T04:00:00.000Z',
    );
    expect(dateInZone(Date.parse('2023-10-01T03:59:59.999Z'), 'America/Asuncion')).toBe('2023-09-30');
  });
});

describe('business days', () => {
  it('are as many as asked for, the last of them a business day', () => {
    const day = fc.integer({ min: 0, max: 20_000 }).map((days) => dateInZone(days * 86_400_000, 'UTC'));
    fc.assert(
      fc.property(day, fc.integer({ min: 1, max: 9 }), fc.array(day), (date, days, holidayList) => {
        const holidays = new Set(holidayList);
        const end = addBusinessDays(date, days, holidays);
        let counted = 0;
        for (let at = Date.parse(date) + 86_400_000; at <= Date.parse(end); at += 86_400_000) {
          if (isBusinessDay(dateInZone(at, 'UTC'), holidays)) counted += 1;
        }
        expect(counted).toBe(days);
        expect(isBusinessDay(end, holidays)).toBe(true);
      }),
    );
  });

  it.each(['2026-02-30', '2026-2-3', 'soon', ''])('are not counted from "%s"', (date) => {
    expect(() => addBusinessDays(date, 1, none)).toThrow(RangeError);
  });

  it('are at least one', () => {
    expect(() => addBusinessDays('2026-03-02', 0, none)).toThrow(RangeError);
  });
});
