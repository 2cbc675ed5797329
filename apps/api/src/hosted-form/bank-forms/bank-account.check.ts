import type { ErrorDetail } from '@tillstream/contracts';
import { isKnownAuthorization, type FormSubmission, type OpenedForm } from '@tillstream/payments';
import { invalidField } from '../../validation/body.check.js';
import { missingField } from '../submission/missing.field.js';
import type { FormBankAccountDto, ShownAuthorizationDto } from './bank-account.dto.js';

type BankFormType = Extract<OpenedForm['paymentMethod']['type'], 'VirtualAch' | 'VirtualEft'>;
type AccountField = keyof FormBankAccountDto;

/** The fields of an account, all of them required (`docs/spec/hosted-form.md#submission`). */
const FIELDS: Readonly<Record<BankFormType, readonly AccountField[]>> = {
  VirtualAch: ['routingNumber', 'accountNumber', 'accountType', 'name'],
  VirtualEft: ['institutionNumber', 'transitNumber', 'accountNumber', 'name'],
};

const EFT_ACCOUNT_NUMBER = /^\d{5,12}$/;

export function isBankForm(type: OpenedForm['paymentMethod']['type']): type is BankFormType {
  return type === 'VirtualAch' || type === 'VirtualEft';
}

/** The errors of valid fields that the type of the form decides. None repeats what was sent. */
export function accountErrors(type: BankFormType, account: FormBankAccountDto): readonly ErrorDetail[] {
  const fields = FIELDS[type];
  const missing = fields
    .filter((name) => account[name] === undefined)
    .map((name) => missingField(`bankAccount.${name}`, `in a form of type ${type}`));
  const foreign = (Object.keys(account) as AccountField[])
    .filter((name) => account[name] !== undefined && !fields.includes(name))
    .map((name) => notOfForm(`bankAccount.${name}`, `allowed ${fields.join(', ')}`));
  const { accountNumber } = account;
  const isTooLong = type === 'VirtualEft' && accountNumber && !EFT_ACCOUNT_NUMBER.test(accountNumber);
  return [...missing, ...foreign, ...(isTooLong ? [eftAccountNumber] : [])];
}

export function authorizationErrors(
  isBank: boolean,
  authorization: ShownAuthorizationDto | undefined,
): readonly ErrorDetail[] {
  if (!authorization) return [];
  if (!isBank) return [notOfForm('authorization', 'allowed in bank forms only')];
  return isKnownAuthorization(authorization.version) ? [] : [unknownVersion];
}

export function notOfForm(field: string, allowed: string): ErrorDetail {
  return invalidField(field, `${field} is not a field of this form.`, `received one, ${allowed}`);
}

/** The account as processors take it. Call it for an account without errors. */
export function bankAccountOf(account: FormBankAccountDto): NonNullable<FormSubmission['bankAccount']> {
  const { routingNumber, institutionNumber, transitNumber, accountNumber, accountType, name } = account;
  return {
    // A Canadian bank is named by a zero, its institution and its branch.
    routingNumber: routingNumber ?? `0${institutionNumber}${transitNumber}`,
    accountNumber: accountNumber ?? '',
    ...(accountType && { accountType }),
    name: name ?? '',
  };
}

const eftAccountNumber = invalidField(
  'bankAccount.accountNumber',
  'bankAccount.accountNumber must be 5 to 12 digits.',
  'received something else, allowed 5 to 12 digits in a form of type VirtualEft',
);

const unknownVersion = invalidField(
  'authorization.version',
  'There is no authorization of this version.',
  'received another one, allowed that of the session',
);
