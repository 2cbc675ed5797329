import { formatExpiry, isExpired, parseExpiry } from './expiry.js';

const typed = (text: string): string => formatExpiry({ text, caret: text.length }).text;

describe('An expiry date', () => {
  it.each([
    ['1', '1'],
    ['5', '05'],
    ['12', '12'],
    ['12/', '12/'],
    ['123', '12/3'],
    ['1230', '12/30'],
    ['1/30', '01/30'],
    ['12 / 30', '12/30'],
    ['12-2030', '12/30'],
    ['122030', '12/30'],
    ['12/2030', '12/30'],
    ['12/203', '12/203'],
    ['12/20', '12/20'],
    ['12/309', '12/30'],
    ['ab', ''],
  ])('"%s" becomes "%s"', (text, shown) => {
    expect(typed(text)).toBe(shown);
  });

  it('loses its slash when the customer deletes it', () => {
    expect(typed('12/')).toBe('12/');
    expect(typed('12')).toBe('12');
  });

  it('keeps the caret at its digit', () => {
    expect(formatExpiry({ text: '112/30', caret: 2 })).toEqual({ text: '11/23', caret: 2 });
  });

  it('is a month and a year', () => {
    expect(parseExpiry('04/29')).toEqual({ month: 4, year: 2029 });
    for (const text of ['', '04', '00/29', '13/29', '4/29', '04/203'])
      expect(parseExpiry(text)).toBeUndefined();
  });

  it('counts to the end of its month, in UTC', () => {
    const lastMoment = new Date('2029-04-30T23:59:59.999Z');
    expect(isExpired({ month: 4, year: 2029 }, lastMoment)).toBe(false);
    expect(isExpired({ month: 4, year: 2029 }, new Date('2029-05-01T00:00:00.000Z'))).toBe(true);
    expect(isExpired({ month: 12, year: 2028 }, lastMoment)).toBe(true);
    expect(isExpired({ month: 1, year: 2030 }, lastMoment)).toBe(false);
  });
});
