import { bodyErrors } from '../testing/body.errors.js';
import { COUNTRY_CODES } from '../validation/country.codes.js';
import { AccountHolderField, HolderFieldsDto, type AccountHolderDto } from './account-holder.dto.js';

class RequestDto {
  @AccountHolderField() accountHolder?: AccountHolderDto;
}

const ours = `acc_01J${'A'.repeat(23)}`;
const inRequest = (accountHolder: unknown) => bodyErrors(RequestDto, { accountHolder });
const holder = (fields: object) => bodyErrors(HolderFieldsDto, fields);
const address = (billingContact: unknown) => holder({ billingContact });

describe('The account holder of a request', () => {
  it('has exactly one of id and externalId, else 2100 with field accountHolder.id', () => {
    expect(inRequest({ id: ours })).toBe('fine');
    expect(inRequest({ externalId: 'c-1' })).toBe('fine');
    expect(inRequest({ id: null, externalId: 'c-1' })).toBe('fine');
    for (const both of [{}, { name: 'Ann' }, { id: ours, externalId: 'c-1' }]) {
      expect(inRequest(both)).toBe('2100 accountHolder.id');
    }
  });

  it.each(['acc_1', 'c-1', '', 7, ours.toLowerCase(), `${ours}0`, `acc_81J${'A'.repeat(23)}`])(
    'has an id of our form, not %j',
    (id) => {
      expect(inRequest({ id })).toBe('2100 accountHolder.id');
    },
  );

  it.each(['Ann', 1, true, []])('is an object, not %j', (value) => {
    expect(inRequest(value)).toBe('2100 accountHolder');
  });

  it('has no other fields: 2100, as "anything else"', () => {
    expect(inRequest({ externalId: 'c-1', nickname: 'A' })).toBe('2100 accountHolder.nickname');
    expect(inRequest({ externalId: 'c-1', billingContact: { street: 'A' } })).toBe(
      '2100 accountHolder.billingContact.street',
    );
    expect(inRequest({ externalId: 'c-1', ['__proto__x']: 1, constructor: 1 })).toBe(
      '2100 accountHolder.__proto__x accountHolder.constructor',
    );
  });

  it('keeps the codes of what is wrong in its billing contact', () => {
    const at = (billingContact: unknown) => inRequest({ externalId: 'c-1', billingContact });
    expect(at('x')).toBe('2100 accountHolder.billingContact');
    expect(at({ name: '' })).toBe('2100 accountHolder.billingContact.name');
    expect(at({ countryCode: 'XX', zipCode: '1' })).toBe('2101 accountHolder.billingContact.countryCode');
    expect(at({ countryCode: 'US', zipCode: '1' })).toBe('2102 accountHolder.billingContact.zipCode');
    expect(at({ countryCode: 'US' })).toBe('2103 accountHolder.billingContact.zipCode');
  });

  it('with errors of several kinds: 2000', () => {
    const wrong = { externalId: 'c-1', email: 'x', phone: '' };
    expect(inRequest(wrong)).toBe('2000 accountHolder.email accountHolder.phone');
  });
});

describe('A field of an account holder', () => {
  it.each([
    ['externalId', 100],
    ['name', 100],
    ['phone', 40],
  ])('%s has at most %i characters: else 2100', (field, max) => {
    expect(holder({ [field]: '😀'.repeat(max) })).toBe('fine');
    expect(holder({ [field]: 'a'.repeat(max + 1) })).toBe(`2100 ${field}`);
    for (const value of ['', 7, {}, 'a\n']) expect(holder({ [field]: value })).toBe(`2100 ${field}`);
    expect(holder({ [field]: null })).toBe('fine');
  });

  it('externalId is not of the form of our ids', () => {
    expect(holder({ externalId: ours })).toBe('2100 externalId');
    expect(holder({ externalId: 'acc_mine' })).toBe('fine');
  });

  it('that is unknown in a body of its own is 2000, like any unknown field', () => {
    expect(holder({ name: 'Ann', id: ours })).toBe('2000 id');
  });
});

describe('An e-mail address', () => {
  it.each([
    'ann@example.com',
    'a@b.co',
    "o'brien+tag@mail.example.co.uk",
    'ann.smith@xn--bcher-kva.example',
    'jörg@bücher.example',
    `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(57)}.org`,
  ])('%s is taken', (email) => {
    expect(holder({ email })).toBe('fine');
  });

  it.each([
    '',
    'ann',
    'ann@',
    '@example.com',
    'ann@localhost',
    'ann@example.',
    'ann@.com',
    'ann@exa mple.com',
    'an n@example.com',
    '.ann@example.com',
    'ann.@example.com',
    'an..n@example.com',
    'ann@-example.com',
    'ann@example-.com',
    'ann@bob@example.com',
    'Ann <ann@example.com>',
    'ann@example.com\n',
    `${'a'.repeat(65)}@example.com`,
    `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(58)}.org`,
    7,
    {},
  ])('%j is 2105', (email) => {
    expect(holder({ email })).toBe('2105 email');
  });
});

describe('A billing contact', () => {
  it.each(['name', 'address', 'address2', 'city', 'state'])('%s has at most 100 characters', (field) => {
    expect(address({ [field]: 'é'.repeat(100) })).toBe('fine');
    expect(address({ [field]: 'é'.repeat(101) })).toBe(`2100 billingContact.${field}`);
    expect(address({ [field]: '' })).toBe(`2100 billingContact.${field}`);
  });

  it('knows the 249 countries of ISO 3166-1, and nothing else', () => {
    expect(COUNTRY_CODES.size).toBe(249);
    for (const code of ['US', 'CA', 'DE', 'GB', 'AX', 'ZW']) expect(COUNTRY_CODES.has(code)).toBe(true);
    for (const code of ['XX', 'UK', 'EU', 'AN', 'XK', 'us', 'USA', 'U', '', 'US CA', 'toString']) {
      expect(address({ countryCode: code, zipCode: '12345' })).toBe('2101 billingContact.countryCode');
    }
  });

  it.each([
    ['US', '12345'],
    ['US', '12345-6789'],
    ['CA', 'K1A 0B1'],
    ['CA', 'k1a0b1'],
    ['DE', '10115'],
    ['GB', 'SW1A 1AA'],
    ['JP', '〒100-8111'],
    ['IE', 'x'.repeat(10)],
  ])('in %s takes the ZIP or postal code %s', (countryCode, zipCode) => {
    expect(address({ countryCode, zipCode })).toBe('fine');
  });

  it.each([
    ['US', '1234'],
    ['US', '123456'],
    ['US', '12345-'],
    ['US', '12345-678'],
    ['US', '12345 6789'],
    ['US', '１２３４５'],
    ['US', ' 12345'],
    ['US', '12345\n'],
    ['US', 12_345],
    ['CA', 'K1A  0B1'],
    ['CA', 'K1A-0B1'],
    ['CA', 'K1A 0B'],
    ['CA', '12345'],
    ['DE', ''],
    ['DE', 'x'.repeat(11)],
    ['DE', 'a\tb'],
  ])('in %s refuses %j: 2102', (countryCode, zipCode) => {
    expect(address({ countryCode, zipCode })).toBe('2102 billingContact.zipCode');
  });

  it('has country and ZIP code together, or neither: 2103 with the one that is missing', () => {
    expect(address({})).toBe('fine');
    expect(address({ city: 'Ottawa' })).toBe('fine');
    expect(address({ countryCode: 'CA' })).toBe('2103 billingContact.zipCode');
    expect(address({ countryCode: 'CA', zipCode: null })).toBe('2103 billingContact.zipCode');
    expect(address({ zipCode: '12345' })).toBe('2103 billingContact.countryCode');
  });
});
