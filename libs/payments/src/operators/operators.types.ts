import type { AdminKey, PersonalDataRead, PersonalDataSubject } from '@tillstream/domain';
import type { Actor } from '../requests/request.types.js';

/**
 * Operators' keys (`docs/spec/authentication.md#admin-keys` and `docs/spec/operators.md#admin-keys`). Errors are
 * `AdminKeyRejected`: unknown, of a name that several have, too many.
 */
export interface AdminKeys {
  issueAdminKey(actor: Actor, key: { readonly name: string }): Promise<IssuedAdminKey>;
  /** In the order of their making, revoked ones too. */
  listAdminKeys(): Promise<readonly AdminKey[]>;
  /** Another key of the same name, which works at once; the old one stops within 2 s on every instance. */
  rotateAdminKey(actor: Actor, idOrName: string): Promise<IssuedAdminKey>;
  revokeAdminKey(actor: Actor, idOrName: string, reason?: string): Promise<AdminKey>;
  /** Lists a key that works and was made before there was a list; nothing where it is listed, or opens nothing. */
  adoptAdminKey(actor: Actor, key: string): Promise<void>;
}

export interface IssuedAdminKey {
  readonly keyId: string;
  /** In this answer only; the store has its hash. */
  readonly key: string;
  readonly name: string;
  readonly createdAt: string;
}

/** Every look of an operator at personal data leaves a record before the data are shown. */
export interface PersonalDataAudit {
  /** Durable when it resolves: show nothing before. `why` in the operator's words, without personal data in it. */
  recordPersonalDataRead(actor: Actor, subject: PersonalDataSubject, why: string): Promise<void>;
  /** Of one day (`2026-11-22`, UTC by the service's clock), oldest first, at most 1000 from `from` (inclusive, from 0). */
  personalDataReads(
    day: string,
    page?: { readonly from?: number; readonly limit?: number },
  ): Promise<{ readonly reads: readonly PersonalDataRead[]; readonly end: boolean }>;
}
