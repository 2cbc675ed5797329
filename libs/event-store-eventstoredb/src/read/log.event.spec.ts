import type { Position } from '@tillstream/event-store';
import { compareLogPositions, isAfter, parsePosition, formatPosition } from './log.event.js';

describe('A position', () => {
  it('is compared as numbers, however large, first by commit', () => {
    const order = ['0/0', '9/0', '9/9', '10/0', '10/10', '9007199254740993/1', '18446744073709551615/0'];
    for (const [index, text] of order.entries()) {
      const place = parsePosition(text as Position);
      expect(formatPosition(place)).toBe(text);
      for (const [other, otherText] of order.entries()) {
        const expected = Math.sign(index - other);
        expect(compareLogPositions(place, parsePosition(otherText as Position))).toBe(expected);
        expect(isAfter(place, parsePosition(otherText as Position))).toBe(expected > 0);
      }
      expect(isAfter(place, undefined)).toBe(true);
    }
  });

  it.each(['', '5', '1/', '/1', '1/2/3', '-1/0', '01/1', '1.5/1', '1 /1', 'x/y', `${'9'.repeat(21)}/0`])(
    'of another store (%p) is Invalid',
    (text) => {
      expect(() => parsePosition(text as Position)).toThrow(expect.objectContaining({ code: 'Invalid' }));
    },
  );
});
