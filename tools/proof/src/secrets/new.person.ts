import { randomBytes } from 'node:crypto';

export const newText = (): string => randomBytes(12).toString('base64url');

/** `person`: what must not be found in the clear. `fields`: of an account holder. */
export function newPerson() {
  const [given, mail, externalId, street, city] = [newText(), newText(), newText(), newText(), newText()];
  const phone = `+1 ${String(randomBytes(6).readUIntBE(0, 6)).padStart(15, '7')}`;
  const [name, email] = [`Ada ${given}`, `${mail}@example.com`];
  const place = { countryCode: 'US', zipCode: '10001', address: `1 ${street} Street`, city };
  return {
    person: [given, email, phone, externalId, street, city],
    fields: { externalId, name, email, phone, billingContact: { name, ...place } },
  };
}
