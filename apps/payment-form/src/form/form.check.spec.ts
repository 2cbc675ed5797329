import { checkField, checkForm, serverErrors } from './form.check.js';
import { emptyValues, fieldsOf, submissionOf, type FieldName, type FormValues } from './form.values.js';
import { ACH, EFT, formSession, MINIMAL } from '../testing/sessions.fixture.js';

const now = new Date('2026-11-25T00:00:00.000Z');
const valid: FormValues = {
  number: '4242 4242 4242 4242',
  expiry: '12/29',
  cvv: '123',
  routingNumber: '110000000',
  institutionNumber: '000',
  transitNumber: '11000',
  accountNumber: '000123456789',
  accountType: 'Checking',
  name: 'Ann Maple',
  countryCode: 'US',
  address: '12 Main Street',
  address2: '',
  city: 'Cambridge',
  state: 'MA',
  zipCode: '02139',
  email: 'ann@example.com',
  phone: '+1 617 555 0100',
};
const errorOf = (field: FieldName, part: Partial<FormValues>) =>
  checkField(field, { values: { ...valid, ...part }, now });

describe('The fields that a form asks for', () => {
  it('Minimal: card, country and postal code', () => {
    expect(fieldsOf(formSession(MINIMAL))).toEqual(['number', 'expiry', 'cvv', 'countryCode', 'zipCode']);
  });

  it('Full: also the name and the address; the contact fields as the merchant asks', () => {
    const formConfig = {
      billingInfoCaptureLevel: 'Full',
      enable3DSecure: false,
      piiFields: ['Phone'],
    } as const;
    const fields = fieldsOf(formSession({ formConfig: { ...formConfig, piiFields: ['Phone'] } }));
    expect(fields).toEqual(expect.arrayContaining(['name', 'address', 'address2', 'city', 'state', 'phone']));
    expect(fields).not.toContain('email');
  });

  it('of a bank: the account, its holder and the whole address', () => {
    const address = ['name', 'countryCode', 'address', 'address2', 'city', 'state', 'zipCode'];
    expect(fieldsOf(formSession(ACH))).toEqual(['routingNumber', 'accountNumber', 'accountType', ...address]);
    expect(fieldsOf(formSession(EFT))).toEqual([
      'institutionNumber',
      'transitNumber',
      'accountNumber',
      ...address,
    ]);
  });

  it('begin with the country of the currency', () => {
    expect(emptyValues({ currency: 'CAD' }).countryCode).toBe('CA');
    expect(emptyValues({ currency: 'USD' }).countryCode).toBe('US');
  });
});

describe('A form', () => {
  it('with valid fields has no errors', () => {
    expect(checkForm(fieldsOf(formSession()), { values: valid, now })).toEqual({});
  });

  it('has an error for each empty field that it asks for, but none for the second line of the address', () => {
    const fields = fieldsOf(formSession());
    const errors = checkForm(fields, {
      values: { ...emptyValues({ currency: 'USD' }), countryCode: '' },
      now,
    });
    expect(Object.keys(errors).sort()).toEqual(fields.filter((field) => field !== 'address2').sort());
  });

  const fieldRules: readonly (readonly [FieldName, Partial<FormValues>, string | undefined])[] = [
    ['number', { number: '4242 4242 4242 424' }, 'numberIncomplete'],
    ['number', { number: '4242 4242 4242 4241' }, 'numberInvalid'],
    ['number', { number: '3782 822463 10005' }, undefined],
    ['number', { number: '9999 9999 9999 9995' }, undefined],
    ['expiry', { expiry: '13/29' }, 'expiryInvalid'],
    ['expiry', { expiry: '10/26' }, 'expiryPast'],
    ['expiry', { expiry: '11/26' }, undefined],
    ['cvv', { cvv: '12' }, 'cvvThree'],
    ['cvv', { number: '3782 822463 10005', cvv: '123' }, 'cvvFour'],
    ['cvv', { number: '3782 822463 10005', cvv: '1234' }, undefined],
    ['routingNumber', { routingNumber: '' }, 'routingMissing'],
    ['routingNumber', { routingNumber: '11000000' }, 'routingIncomplete'],
    ['routingNumber', { routingNumber: '110000001' }, 'routingInvalid'],
    ['institutionNumber', { institutionNumber: '00' }, 'institutionIncomplete'],
    ['transitNumber', { transitNumber: '1100' }, 'transitIncomplete'],
    ['accountNumber', { transitNumber: '', accountNumber: '123' }, 'accountIncomplete'],
    ['accountNumber', { transitNumber: '', accountNumber: '1234' }, undefined],
    ['accountNumber', { accountNumber: '1234' }, 'accountIncomplete'],
    ['accountType', { accountType: '' }, 'accountTypeMissing'],
    ['name', { name: '  ' }, 'nameMissing'],
    ['zipCode', { zipCode: '' }, 'zipMissingUs'],
    ['zipCode', { zipCode: '0213' }, 'zipUs'],
    ['zipCode', { zipCode: '02139-1234' }, undefined],
    ['zipCode', { countryCode: 'CA', zipCode: '02139' }, 'zipCa'],
    ['zipCode', { countryCode: 'CA', zipCode: 'k1a0b1' }, undefined],
    ['zipCode', { countryCode: 'CA', zipCode: 'K1A 0B1' }, undefined],
    ['zipCode', { countryCode: 'DE', zipCode: '0' }, undefined],
    ['zipCode', { countryCode: 'DE', zipCode: '12345678901' }, 'zipOther'],
    ['email', { email: 'ann@' }, 'emailInvalid'],
    ['email', { email: 'ÿann@exämple.com' }, undefined],
  ];
  it.each(fieldRules)('%s: %j is %s', (field, part, error) => {
    expect(errorOf(field, part)).toBe(error);
  });
});

describe('Errors of the service', () => {
  const fields = fieldsOf(formSession());
  it('stand beside their fields', () => {
    const details = [
      { field: 'card.number' },
      { field: 'card.expDate' },
      { field: 'billingContact.zipCode' },
    ];
    expect(serverErrors(details, fields, valid)).toEqual({
      number: 'numberInvalid',
      expiry: 'expiryInvalid',
      zipCode: 'zipUs',
    });
  });

  it('stand beside the fields of a bank account', () => {
    const details = [{ field: 'bankAccount.routingNumber' }, { field: 'bankAccount.name' }];
    expect(serverErrors(details, fieldsOf(formSession(ACH)), valid)).toEqual({
      routingNumber: 'routingInvalid',
      name: 'nameInvalid',
    });
  });

  it('of a field that the form does not show are none', () => {
    expect(serverErrors([{ field: 'email' }, { field: 'other' }, {}], fields, valid)).toEqual({});
  });
});

describe('A submission', () => {
  it('has the digits, the expiry as MMYY, and the filled fields only', () => {
    expect(submissionOf({ ...valid, city: ' Cambridge ' }, fieldsOf(formSession()))).toEqual({
      card: { number: '4242424242424242', expDate: '1229', cvv: '123' },
      billingContact: {
        name: 'Ann Maple',
        address: '12 Main Street',
        city: 'Cambridge',
        state: 'MA',
        countryCode: 'US',
        zipCode: '02139',
      },
    });
  });

  it('of a bank account has its numbers and no card; the account holder is the billing contact', () => {
    const holder = { accountNumber: '000123456789', name: 'Ann Maple' };
    const ach = submissionOf(valid, fieldsOf(formSession(ACH)));
    expect(ach).toMatchObject({
      bankAccount: { routingNumber: '110000000', accountType: 'Checking', ...holder },
      billingContact: { name: 'Ann Maple', countryCode: 'US', zipCode: '02139' },
    });
    expect(ach).not.toHaveProperty('card');
    const { bankAccount } = submissionOf(valid, fieldsOf(formSession(EFT)));
    expect(bankAccount).toEqual({ institutionNumber: '000', transitNumber: '11000', ...holder });
  });

  it('of a Minimal form has no name and no address', () => {
    const { billingContact } = submissionOf(valid, fieldsOf(formSession(MINIMAL)));
    expect(billingContact).toEqual({ countryCode: 'US', zipCode: '02139' });
  });
});
