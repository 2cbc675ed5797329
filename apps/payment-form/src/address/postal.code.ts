/** The rules of postal codes (`docs/spec/payment-methods.md#billing-contact`). */
const FORMS: Readonly<Record<string, RegExp>> = {
  US: /^\d{5}(-\d{4})?$/,
  CA: /^[A-Z]\d[A-Z] ?\d[A-Z]\d$/i,
};
const ANY = /^.{1,10}$/u;

export function isPostalCode(code: string, countryCode: string): boolean {
  return (FORMS[countryCode] ?? ANY).test(code);
}
