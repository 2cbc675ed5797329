import { ErrorCode, type FormSession } from '@tillstream/contracts';
import type { FieldErrors } from './form.check.js';
import type { FieldName } from './form.values.js';

const CONTACT: readonly FieldName[] = ['email', 'phone'];
const BILLING: readonly FieldName[] = ['countryCode', 'address', 'address2', 'city', 'state', 'zipCode'];
/** No code names the fields of an EFT form. */
const ACCOUNT = {
  Virtual: ErrorCode.SdkCardFieldsInvalid,
  VirtualAch: ErrorCode.SdkAchFieldsInvalid,
  VirtualEft: ErrorCode.SdkFormValidationFailed,
} as const;

/** The codes of wrong fields, for the page of the merchant (`docs/payment-form-script.md#errors-in-the-form`). */
export function codesOf(
  errors: FieldErrors,
  { paymentMethodType }: Pick<FormSession, 'paymentMethodType'>,
): number[] {
  const wrong = Object.keys(errors) as FieldName[];
  const codes = wrong.map((field) => {
    if (CONTACT.includes(field)) return ErrorCode.SdkFormValidationFailed;
    return BILLING.includes(field) ? ErrorCode.SdkBillingValidationFailed : ACCOUNT[paymentMethodType];
  });
  // The service refused a field that the form does not show.
  return codes.length === 0 ? [ErrorCode.SdkFormValidationFailed] : [...new Set(codes)];
}
