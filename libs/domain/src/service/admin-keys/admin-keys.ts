import { accepted, eventCodec, rejected, type Decision, type Event } from '../../shared/aggregate.js';

/*
 * The list of operators' keys, in one stream (`docs/spec/authentication.md#admin-keys` and
 * `docs/spec/operators.md#admin-keys`). Authentication does not read it: each key has its own stream (`ApiKeyEvent`).
 */

export const ADMIN_KEYS_STREAM = 'adminkeys-all';

/** Storage: these shapes never change. */
export type AdminKeyEvent =
  Event<'AdminKeyIssued', AdminKeyIssued> | Event<'AdminKeyRevoked', AdminKeyRevoked>;

export interface AdminKeyIssued {
  readonly at: string;
  readonly keyId: string;
  /** SHA-256 of the key, hex; it names the key's own stream. */
  readonly keyHash: string;
  readonly name: string;
  readonly lastFour: string;
  readonly createdBy: string;
  /** The id of the key that this key replaces. */
  readonly replaces?: string;
}

export interface AdminKeyRevoked {
  readonly at: string;
  readonly keyId: string;
  readonly revokedBy: string;
  readonly replacedBy?: string;
  readonly reason?: string;
}

/** Frozen examples of each version are in `fixtures/`. */
export const adminKeysCodec = eventCodec<AdminKeyEvent>({
  types: { AdminKeyIssued: [], AdminKeyRevoked: [] },
});

export interface AdminKey extends Omit<AdminKeyIssued, 'at' | 'keyId' | 'keyHash'> {
  readonly id: string;
  readonly hash: string;
  readonly createdAt: string;
  readonly revokedAt?: string;
  readonly revokedBy?: string;
}

/** In the order of creation, with the revoked keys. */
export type AdminKeys = readonly AdminKey[];

export const noAdminKeys: AdminKeys = [];
/** Limit of keys that are not revoked. */
export const MAX_ADMIN_KEYS = 100;

export interface AdminKeyRejection {
  readonly code: 'AdminKeyNotFound' | 'AdminKeyAmbiguous' | 'TooManyAdminKeys';
  readonly message: string;
}

export type AdminKeyDecision = Decision<AdminKeyEvent, AdminKeyRejection>;

/** Adds no event if the list has the key already. */
export function issueAdminKey(keys: AdminKeys, data: AdminKeyIssued): AdminKeyDecision {
  if (keys.some(({ id, hash }) => id === data.keyId || hash === data.keyHash)) return accepted([], undefined);
  // The replaced key is revoked after this key is issued, so it does not count.
  const others = keys.filter(({ id, revokedAt }) => revokedAt === undefined && id !== data.replaces).length;
  if (others >= MAX_ADMIN_KEYS) {
    const message = `There are ${others} admin keys, and at most ${MAX_ADMIN_KEYS} can work at the same time; revoke one first.`;
    return rejected({ code: 'TooManyAdminKeys', message });
  }
  return accepted([{ type: 'AdminKeyIssued', data }], undefined);
}

/** A revoked key counts as not found. */
export function revokeAdminKey(keys: AdminKeys, data: AdminKeyRevoked): AdminKeyDecision {
  const key = keys.find(({ id }) => id === data.keyId);
  if (!key || key.revokedAt !== undefined) return rejected(adminKeyNotFound);
  return accepted([{ type: 'AdminKeyRevoked', data }], undefined);
}

/** The key with this id or name that is not revoked. Names need not be unique. */
export function findAdminKey(keys: AdminKeys, idOrName: string): AdminKey | AdminKeyRejection {
  const working = keys.filter(({ revokedAt }) => revokedAt === undefined);
  const named = working.filter(({ name }) => name === idOrName);
  const found = working.find(({ id }) => id === idOrName) ?? named[0];
  if (!found) return adminKeyNotFound;
  if (found.id === idOrName || named.length === 1) return found;
  const ids = named.map(({ id }) => id).join(', ');
  return { code: 'AdminKeyAmbiguous', message: `Several admin keys have this name; use an id: ${ids}.` };
}

const adminKeyNotFound: AdminKeyRejection = {
  code: 'AdminKeyNotFound',
  message: 'There is no admin key of this id or name that works.',
};

export function foldAdminKeys(events: Iterable<AdminKeyEvent>): AdminKeys {
  const keys = new Map<string, AdminKey>();
  for (const { type, data } of events) {
    if (type === 'AdminKeyIssued') {
      const { at, keyId: id, keyHash: hash, ...key } = data;
      keys.set(id, { ...key, id, hash, createdAt: at });
      continue;
    }
    const known = keys.get(data.keyId);
    if (known) keys.set(known.id, { ...known, revokedAt: data.at, revokedBy: data.revokedBy });
  }
  return [...keys.values()];
}
