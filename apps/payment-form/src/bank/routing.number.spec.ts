import { isRoutingNumber } from './routing.number.js';

describe('A routing number', () => {
  it.each(['110000000', '021000021', '121000248'])('with a right check digit is one: %s', (text) => {
    expect(isRoutingNumber(text)).toBe(true);
  });

  it.each(['110000001', '021000012', '11000000', '1100000000', '11000000a', '000000000', ''])(
    'with another check digit, length or letter is none: "%s"',
    (text) => {
      expect(isRoutingNumber(text)).toBe(false);
    },
  );
});
