import fc from 'fast-check';
import { boundOf } from './instant.js';

const ms = fc.date({
  min: new Date('1970-01-01T00:00:00.000Z'),
  max: new Date('2099-12-31T23:59:59.999Z'),
  noInvalidDate: true,
});

describe('A bound of a range of times', () => {
  it.each([
    ['2026-08-03T12:00:00Z', '2026-08-03T12:00:00.000Z'],
    ['2026-08-03T12:00:00.5Z', '2026-08-03T12:00:00.500Z'],
    ['2026-08-03T12:00:00.123Z', '2026-08-03T12:00:00.123Z'],
    ['2026-08-03T12:00:00+02:00', '2026-08-03T10:00:00.000Z'],
    ['2026-08-03T23:30:00-04:30', '2026-08-04T04:00:00.000Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
  ])('%s is %s', (text, bound) => {
    expect(boundOf(text)).toBe(bound);
  });

  it.each([
    '',
    'yesterday',
    '2026-08-03',
    '2026-08-03T12:00Z',
    '2026-08-03T12:00:00',
    '2026-08-03 12:00:00Z',
    '2026-08-03T12:00:00.Z',
    '2026-08-03T12:00:00.1234567890Z',
    '2026-02-30T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-08-03T24:00:00Z',
    '2026-08-03T12:00:60Z',
    '2026-08-03T12:00:00+25:00',
    '0000-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    '1785758400000',
  ])('is not %j', (text) => {
    expect(boundOf(text)).toBeUndefined();
  });

  it('that is finer than a millisecond leaves out what is before it, and nothing else', () => {
    fc.assert(
      fc.property(ms, ms, fc.integer({ min: 0, max: 999_999 }), (at, other, nanos) => {
        const text = at.toISOString().replace('Z', `${String(nanos).padStart(6, '0')}Z`);
        const isBefore = other < at || (+other === +at && nanos > 0);
        expect(other.toISOString() < (boundOf(text) ?? '')).toBe(isBefore);
      }),
    );
  });
});
