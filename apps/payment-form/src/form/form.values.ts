import type { BillingContact, FormBankAccount, FormSession } from '@tillstream/contracts';
import { countryOf } from '../address/countries.js';
import { digitsIn } from '../card/typed.text.js';
import type { Submission } from '../session/session.client.js';

/** In the order of the form. */
export const FIELDS = [
  'number',
  'expiry',
  'cvv',
  'routingNumber',
  'institutionNumber',
  'transitNumber',
  'accountNumber',
  'accountType',
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

const ACCOUNT: Readonly<Record<FormSession['paymentMethodType'], readonly FieldName[]>> = {
  Virtual: ['number', 'expiry', 'cvv'],
  VirtualAch: ['routingNumber', 'accountNumber', 'accountType', 'name'],
  VirtualEft: ['institutionNumber', 'transitNumber', 'accountNumber', 'name'],
};
const MINIMAL: readonly FieldName[] = ['countryCode', 'zipCode'];
const FULL: readonly FieldName[] = ['name', 'countryCode', 'address', 'address2', 'city', 'state', 'zipCode'];

export function emptyValues({ currency }: Pick<FormSession, 'currency'>): FormValues {
  const none = Object.fromEntries(FIELDS.map((field) => [field, ''])) as Record<FieldName, string>;
  return { ...none, countryCode: countryOf(currency) };
}

/** The fields that this form asks for (`docs/spec/hosted-form.md#form-settings`), in its order. */
export function fieldsOf({
  formConfig,
  paymentMethodType,
}: Pick<FormSession, 'formConfig' | 'paymentMethodType'>): readonly FieldName[] {
  const asked = new Set<FieldName>([
    ...ACCOUNT[paymentMethodType],
    ...(formConfig.billingInfoCaptureLevel === 'Full' ? FULL : MINIMAL),
    ...(formConfig.piiFields.includes('Email') ? (['email'] as const) : []),
    ...(formConfig.piiFields.includes('Phone') ? (['phone'] as const) : []),
  ]);
  return FIELDS.filter((field) => asked.has(field));
}

const BILLING = ['name', 'address', 'address2', 'city', 'state', 'countryCode', 'zipCode'] as const;

/** Leaves out what was not asked for or not filled in. The account holder of a bank form is its billing contact too. */
export function submissionOf(values: FormValues, fields: readonly FieldName[]): Submission {
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
    ...(fields.includes('accountNumber')
      ? { bankAccount: bankAccountOf(values, fields) }
      : { card: { number: digitsIn(values.number), expDate: digitsIn(values.expiry), cvv: values.cvv } }),
    billingContact,
    ...(email === undefined ? {} : { email }),
    ...(phone === undefined ? {} : { phone }),
  };
}

function bankAccountOf(values: FormValues, fields: readonly FieldName[]): FormBankAccount {
  const { routingNumber, institutionNumber, transitNumber, accountNumber, accountType } = values;
  return {
    ...(fields.includes('routingNumber')
      ? { routingNumber, accountType: accountType as NonNullable<FormBankAccount['accountType']> }
      : { institutionNumber, transitNumber }),
    accountNumber,
    name: values.name.trim(),
  };
}
