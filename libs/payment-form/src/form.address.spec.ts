import { PaymentFormError } from './error.codes.js';
import { formAddress } from './form.address.js';

const SESSION = `ses_${'aB3'.repeat(10)}xy`;
const url = `https://pay.example/pay/${SESSION}`;
const refusal = (address: unknown, protocol = 'https:') => {
  try {
    return formAddress(address, protocol).href;
  } catch (error) {
    return error instanceof PaymentFormError ? error.code : error;
  }
};

describe('The address of a form', () => {
  it('is used as it is', () => {
    expect(formAddress(url, 'https:').href).toBe(url);
    expect(formAddress(`http://localhost:3000/pay/${SESSION}`, 'http:').port).toBe('3000');
  });

  it.each([
    ['fr-CA', '?lang=fr'],
    ['fr', '?lang=fr'],
    ['EN-us', '?lang=en'],
    ['es-MX', ''],
    [undefined, ''],
  ])('has the language of %s: %s', (locale, search) => {
    expect(formAddress(url, 'https:', locale).search).toBe(search);
  });

  it.each([undefined, null, '', 7])('is missing: 6102 for %j', (address) => {
    expect(refusal(address)).toBe(6102);
  });

  it.each([
    'https://pay.example/',
    `https://pay.example/pay/${SESSION}x`,
    `https://pay.example/pay/${SESSION}/submit`,
    `https://pay.example/other/pay/${SESSION}`,
    `https://user:secret@pay.example/pay/${SESSION}`,
    `javascript:alert(1)///pay/${SESSION}`,
    `data:text/html,/pay/${SESSION}`,
    `/pay/${SESSION}`,
    'no address',
  ])('is not one of a form: 6103 for %s', (address) => {
    expect(refusal(address)).toBe(6103);
  });

  it('is not http: in an https: page: 6103', () => {
    expect(refusal(`http://pay.example/pay/${SESSION}`)).toBe(6103);
    expect(refusal(`https://pay.example/pay/${SESSION}`, 'http:')).toContain('https:');
  });

  it('is in no message: it is a credential', () => {
    expect(() => formAddress(`${url}/x`, 'https:')).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('aB3') }),
    );
  });
});
