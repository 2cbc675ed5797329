import type { AdminKey, PersonalDataRead, PersonalDataSubject } from '@tillstream/domain';
import type { Actor } from '../requests/request.types.js';

/**
 * Operators' keys (`docs/spec/authentication.md#admin-keys` and `docs/spec/operators.md#admin-keys`).
 * Methods reject with `AdminKeyRejected`: the key is unknown, several have its name, or there are too many.
 */
export interface AdminKeys {
  issueAdminKey(actor: Actor, key: { readonly name: string }): Promise<IssuedAdminKey>;
  /** In order of creation, including revoked keys. */
  listAdminKeys(): Promise<readonly AdminKey[]>;
  /** Issues a key of the same name, which works at once. The old key stops within 2 s on every instance. */
  rotateAdminKey(actor: Actor, idOrName: string): Promise<IssuedAdminKey>;
  revokeAdminKey(actor: Actor, idOrName: string, reason?: string): Promise<AdminKey>;
  /** Lists a working key that was created before the list existed. Has no effect if it is listed or does not work. */
  adoptAdminKey(actor: Actor, key: string): Promise<void>;
}

export interface IssuedAdminKey {
  readonly keyId: string;
  /** Returned only once: the store has only its hash. */
  readonly key: string;
  readonly name: string;
  readonly createdAt: string;
}

/** Records every read of personal data by an operator before the data is shown. */
export interface PersonalDataAudit {
  /** Durable when it resolves: show the data only then. `why`: the operator's reason, without personal data. */
  recordPersonalDataRead(actor: Actor, subject: PersonalDataSubject, why: string): Promise<void>;
  /** The reads of a day (`2026-11-22`, UTC by the service's clock), oldest first. `from`: from 0, inclusive. `limit`: up to 1000, left out: 100. */
  personalDataReads(
    day: string,
    page?: { readonly from?: number; readonly limit?: number },
  ): Promise<{ readonly reads: readonly PersonalDataRead[]; readonly end: boolean }>;
}
