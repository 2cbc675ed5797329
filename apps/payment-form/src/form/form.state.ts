import { checkField, checkForm, type FieldErrors } from './form.check.js';
import type { FieldName, FormValues } from './form.values.js';

export interface FormState {
  readonly values: FormValues;
  readonly errors: FieldErrors;
}

/** An error disappears while its field is corrected. Another country has other states and postal codes. */
export function withValue(state: FormState, field: FieldName, value: string): FormState {
  const values = { ...state.values, [field]: value };
  if (field !== 'countryCode' || value === state.values.countryCode) {
    return { values, errors: without(state.errors, [field]) };
  }
  return { values: { ...values, state: '' }, errors: without(state.errors, [field, 'state', 'zipCode']) };
}

/** A filled field is checked when the customer leaves it; an empty one only when the form is sent. */
export function withFieldChecked(state: FormState, field: FieldName, now: Date): FormState {
  const { values } = state;
  if (values[field].trim() === '') return state;
  const error = checkField(field, { values, now });
  const others = without(state.errors, [field]);
  return { values, errors: error ? { ...others, [field]: error } : others };
}

export function checked(state: FormState, fields: readonly FieldName[], now: Date): FormState {
  const { values } = state;
  return { values, errors: checkForm(fields, { values, now }) };
}

/** The security code is used for one submission only. */
export function withoutSecurityCode({ values, errors }: FormState): FormState {
  return { values: { ...values, cvv: '' }, errors: without(errors, ['cvv']) };
}

function without(errors: FieldErrors, fields: readonly FieldName[]): FieldErrors {
  return Object.fromEntries(Object.entries(errors).filter(([field]) => !fields.some((one) => one === field)));
}
