import { AdminKeyCredential } from './admin.key.js';
import { FormSessionCredential } from './form.session.js';
import { MerchantKeyCredential } from './merchant.key.js';

/**
 * Every kind of caller, by its credential. A new kind is a file with its credential and an entry here; routes then name it in
 * `@Callers`.
 */
export const CREDENTIAL_CLASSES = {
  MerchantKey: MerchantKeyCredential,
  AdminKey: AdminKeyCredential,
  FormSession: FormSessionCredential,
} as const;

export type CallerKind = keyof typeof CREDENTIAL_CLASSES;

type CredentialOf<Kind extends CallerKind> = InstanceType<(typeof CREDENTIAL_CLASSES)[Kind]>;

/** The caller of a request, a union by `kind`. */
export type Caller = {
  [Kind in CallerKind]: NonNullable<Awaited<ReturnType<CredentialOf<Kind>['callerOf']>>>;
}[CallerKind];
