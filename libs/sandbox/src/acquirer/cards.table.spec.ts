import { APPLICATION_IDS, CARDS, CARDS_BY_NUMBER, maskedNumber } from './cards.table.js';

describe('The table of cards', () => {
  it.each(CARDS.map(({ number, type }) => [number, type]))('%s (%s) passes Luhn', (number) => {
    const sum = [...number].reverse().reduce((total, digit, place) => {
      const value = place % 2 === 0 ? Number(digit) : Number(digit) * 2;
      return total + (value > 9 ? value - 9 : value);
    }, 0);
    expect(sum % 10).toBe(0);
  });

  it('has each number once, and each card id (type and last four digits) once', () => {
    expect(new Set(CARDS.map((card) => card.number)).size).toBe(CARDS.length);
    expect(new Set(CARDS.map((card) => `${card.type} ${card.number.slice(-4)}`)).size).toBe(CARDS.length);
  });

  it('has a chip for each of its card types', () => {
    expect(CARDS.filter((card) => !APPLICATION_IDS[card.type])).toEqual([]);
  });

  it('masks all but the last four digits', () => {
    expect(maskedNumber('4242424242424242')).toBe('************4242');
    expect(maskedNumber('378282246310005')).toBe('***********0005');
  });

  it('has no other number', () => {
    expect(CARDS_BY_NUMBER.get('4111111111111111')).toBeUndefined();
  });
});
