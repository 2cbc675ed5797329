import type { BillingContact, FormSession } from '@tillstream/contracts';
import { countryOf } from '../address/countries.js';
import { digitsIn } from '../card/typed.text.js';
import type { CardSubmission } from '../session/session.client.js';

/** In the order of the form. */
export const FIELDS = [
  'number',
  'expiry',
  'cvv',
  'name',
  'countryCode',
  'address',
  'address2',
  'city',
  'state',
  'zipCode',
  'email',
  'phone',
] as const;
export type FieldName = (typeof FIELDS)[number];
export type FormValues = Readonly<Record<FieldName, string>>;

const CARD: readonly FieldName[] = ['number', 'expiry', 'cvv'];
const MINIMAL: readonly FieldName[] = ['countryCode', 'zipCode'];
const FULL: readonly FieldName[] = ['name', 'countryCode', 'address', 'address2', 'city', 'state', 'zipCode'];

export function emptyValues({ currency }: Pick<FormSession, 'currency'>): FormValues {
  const none = Object.fromEntries(FIELDS.map((field) => [field, ''])) as Record<FieldName, string>;
  return { ...none, countryCode: countryOf(currency) };
}

/** The fields that this form asks for (`docs/spec/hosted-form.md#form-settings`), in its order. */
export function fieldsOf({ formConfig }: Pick<FormSession, 'formConfig'>): readonly FieldName[] {
  const asked = new Set<FieldName>([
    ...CARD,
    ...(formConfig.billingInfoCaptureLevel === 'Full' ? FULL : MINIMAL),
    ...(formConfig.piiFields.includes('Email') ? (['email'] as const) : []),
    ...(formConfig.piiFields.includes('Phone') ? (['phone'] as const) : []),
  ]);
  return FIELDS.filter((field) => asked.has(field));
}

const BILLING = ['name', 'address', 'address2', 'city', 'state', 'countryCode', 'zipCode'] as const;

/** Leaves out what was not asked for or not filled in. */
export function submissionOf(values: FormValues, fields: readonly FieldName[]): CardSubmission {
  const filled = (field: FieldName): string | undefined =>
    fields.includes(field) && values[field].trim() !== '' ? values[field].trim() : undefined;
  const billingContact: BillingContact = {};
  for (const field of BILLING) {
    const value = filled(field);
    if (value !== undefined) billingContact[field] = value;
  }
  const email = filled('email');
  const phone = filled('phone');
  return {
    card: { number: digitsIn(values.number), expDate: digitsIn(values.expiry), cvv: values.cvv },
    billingContact,
    ...(email === undefined ? {} : { email }),
    ...(phone === undefined ? {} : { phone }),
  };
}
