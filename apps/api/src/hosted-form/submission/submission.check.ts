import type { ErrorDetail } from '@tillstream/contracts';
import type { FormSubmission, OpenedForm } from '@tillstream/payments';
import type { BillingContactDto } from '../../account-holders/billing-contact.dto.js';
import { invalidField } from '../../validation/body.check.js';
import {
  accountErrors,
  authorizationErrors,
  bankAccountOf,
  isBankForm,
  notOfForm,
} from '../bank-forms/bank-account.check.js';
import { missingField } from './missing.field.js';
import type { FormSubmissionDto } from './submission.dto.js';

/** The parts of a billing contact that a form requires (`docs/spec/hosted-form.md#submission`). */
const REQUIRED: Readonly<
  Record<OpenedForm['form']['billingInfoCaptureLevel'], readonly (keyof BillingContactDto)[]>
> = {
  Minimal: ['countryCode', 'zipCode'],
  Full: ['name', 'address', 'city', 'state', 'countryCode', 'zipCode'],
};

const CONTACT_FIELDS = [
  { name: 'email', asked: 'Email' },
  { name: 'phone', asked: 'Phone' },
] as const;

/**
 * The errors of a valid body that depend on its form and on the time. None repeats what was sent. A card for a bank form, or
 * the other way round, has no other errors.
 */
export function submissionErrors(
  { form, paymentMethod: { type }, now }: Pick<OpenedForm, 'form' | 'paymentMethod' | 'now'>,
  body: FormSubmissionDto,
): readonly ErrorDetail[] {
  const { card, bankAccount, billingContact = {} } = body;
  const unfit = kindErrors(type, body);
  if (unfit.length > 0) return unfit;
  const { billingInfoCaptureLevel: level, piiFields } = form;
  const missing = REQUIRED[level]
    .filter((name) => billingContact[name] === undefined)
    .map((name) => missingField(`billingContact.${name}`, `with billingInfoCaptureLevel ${level}`));
  const contact = CONTACT_FIELDS.flatMap(({ name, asked }) => {
    const isAsked = piiFields.includes(asked);
    if (isAsked === (body[name] !== undefined)) return [];
    return [isAsked ? missingField(name, `with ${asked} in piiFields`) : notAsked(name, asked)];
  });
  return [
    ...(card && isPast(card.expDate, now) ? [expired] : []),
    ...(bankAccount && isBankForm(type) ? accountErrors(type, bankAccount) : []),
    ...missing,
    ...contact,
    ...authorizationErrors(isBankForm(type), body.authorization),
  ];
}

/** A submission without errors, as the use case takes it. */
export function submissionOf({ bankAccount, ...body }: FormSubmissionDto): FormSubmission {
  return { ...body, ...(bankAccount && { bankAccount: bankAccountOf(bankAccount) }) };
}

function kindErrors(
  type: OpenedForm['paymentMethod']['type'],
  body: FormSubmissionDto,
): readonly ErrorDetail[] {
  const [taken, other] = isBankForm(type)
    ? (['bankAccount', 'card'] as const)
    : (['card', 'bankAccount'] as const);
  return [
    ...(body[other] ? [notOfForm(other, `allowed ${taken} in a form of type ${type}`)] : []),
    ...(body[taken] ? [] : [missingField(taken, `in a form of type ${type}`)]),
  ];
}

const expired = invalidField(
  'card.expDate',
  'The card has expired.',
  'received a month that is over, allowed this month or a later one',
);

function notAsked(field: string, asked: string): ErrorDetail {
  const message = `${field} is not a field of this form.`;
  return invalidField(field, message, `received one, allowed with ${asked} in piiFields`);
}

/**
 * @param expDate MMYY, valid to the end of its month in UTC
 * @param now RFC 3339
 */
function isPast(expDate: string, now: string): boolean {
  return `20${expDate.slice(2)}-${expDate.slice(0, 2)}` < now.slice(0, 7);
}
