import { isKeyOf } from './api.key.js';

const [test, live, admin] = ['sk_test_', 'sk_live_', 'ak_'].map((prefix) => prefix + 'a'.repeat(32)) as [
  string,
  string,
  string,
];

describe('The form of a key', () => {
  it('is that of the mode: a service of one kind never looks at a key of the other', () => {
    expect([isKeyOf('Merchants', 'sandbox', test), isKeyOf('Merchants', 'sandbox', live)]).toEqual([
      true,
      false,
    ]);
    expect([isKeyOf('Merchants', 'live', test), isKeyOf('Merchants', 'live', live)]).toEqual([false, true]);
  });

  it('of an operator is the same in both, and opens nothing of a merchant', () => {
    for (const mode of ['sandbox', 'live'] as const) {
      expect([isKeyOf('Operators', mode, admin), isKeyOf('Merchants', mode, admin)]).toEqual([true, false]);
      expect([isKeyOf('Operators', mode, test), isKeyOf('Operators', mode, live)]).toEqual([false, false]);
    }
  });
});
