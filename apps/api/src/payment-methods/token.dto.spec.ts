import { bodyErrors } from '../testing/body.errors.js';
import { ChangeTokenDto, StoreCardDto } from './token.dto.js';

const store = (body: object) => bodyErrors(StoreCardDto, body);
const change = (body: object) => bodyErrors(ChangeTokenDto, body);

describe.each([
  ['that stores a card', store, ['description', 'referenceId']],
  ['that changes one', change, ['description', 'referenceId']],
] as const)('A request %s', (_name, at, fields) => {
  it.each(fields)('has a %s of at most 100 characters', (field) => {
    expect(at({ [field]: '€'.repeat(100) })).toBe('fine');
    expect(at({ [field]: '€'.repeat(101) })).toBe(`2000 ${field}`);
    for (const value of ['', 7, [], 'a\u0000']) expect(at({ [field]: value })).toBe(`2000 ${field}`);
  });

  it('has a referenceId of its own: ours have another form', () => {
    expect(at({ referenceId: `ref_01J${'A'.repeat(23)}` })).toBe('2000 referenceId');
  });

  it('may name an account holder, whose errors have codes of their own', () => {
    expect(at({ accountHolder: { externalId: 'c-1' } })).toBe('fine');
    expect(at({ accountHolder: {} })).toBe('2100 accountHolder.id');
    expect(at({ accountHolder: { externalId: 'c-1', email: 'x' } })).toBe('2105 accountHolder.email');
  });

  it('has no other fields', () => {
    expect(at({ amount: 1 })).toBe('2000 amount');
  });
});

it('A terminal has an id of at most 35 characters', () => {
  expect(store({ paymentMethodId: 'p'.repeat(35) })).toBe('fine');
  expect(store({ paymentMethodId: 'p'.repeat(36) })).toBe('2000 paymentMethodId');
});

describe('An expiry', () => {
  it.each(['0129', '1200', '1299', '0934'])('is month and year: %s', (cardExpDate) => {
    expect(change({ cardExpDate })).toBe('fine');
  });

  it.each(['0029', '1329', '129', '12029', '12/29', '2912 ', '', 1229, '12２9', '1229\n'])(
    'is not %j: 2000',
    (cardExpDate) => {
      expect(change({ cardExpDate })).toBe('2000 cardExpDate');
    },
  );

  it('is nothing that a card is stored with', () => {
    expect(store({ cardExpDate: '1229' })).toBe('2000 cardExpDate');
  });
});

describe('The billing contact of a change', () => {
  it('has the codes of its country and ZIP code, and 2000 for anything else', () => {
    const at = (billingContact: unknown) => change({ billingContact });
    expect(at({ countryCode: 'US', zipCode: '12345', name: 'Ann' })).toBe('fine');
    expect(at({ countryCode: 'XX', zipCode: '1' })).toBe('2101 billingContact.countryCode');
    expect(at({ countryCode: 'CA', zipCode: '1' })).toBe('2102 billingContact.zipCode');
    expect(at({ countryCode: 'CA' })).toBe('2103 billingContact.zipCode');
    expect(at({ name: 'a'.repeat(101) })).toBe('2000 billingContact.name');
    expect(at({ street: 'x' })).toBe('2000 billingContact.street');
    expect(at('x')).toBe('2000 billingContact');
  });
});
