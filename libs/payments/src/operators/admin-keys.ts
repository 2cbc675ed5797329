import {
  ADMIN_KEYS_STREAM,
  adminKeysCodec,
  findAdminKey,
  foldAdminKeys,
  issueAdminKey,
  revokeAdminKey,
  type AdminKey,
  type AdminKeyDecision,
  type AdminKeyRejection,
  type AdminKeys as ListedKeys,
} from '@tillstream/domain/service';
import { readWholeStream } from '@tillstream/event-store';
import { iso } from '../ports/clock.port.js';
import { decideAndAppend, fromRecorded } from '../stream-repository/event-metadata.js';
import { newId, sha256 } from '../identifiers.js';
import type { Actor } from '../requests/request.types.js';
import { KeyStreams, generateKey, readActivation } from './key-streams.js';
import type { Ports } from '../parts.js';

export interface IssuedAdminKey {
  readonly keyId: string;
  /** Returned only once: the store has only its hash. */
  readonly key: string;
  readonly name: string;
  readonly createdAt: string;
}

/** The admin key is unknown, several keys have its name, or there are too many. */
export class AdminKeyRejected extends Error {
  override readonly name = 'AdminKeyRejected';
  constructor(readonly rejection: AdminKeyRejection) {
    super(rejection.message);
  }
}

/**
 * Operators' keys: one stream lists all of them, and each has its own stream. A key is listed before it works, and stops
 * working before it is listed as revoked. So the list shows every key that works, also after a crash between both steps
 * (`docs/spec/authentication.md#admin-keys` and `docs/spec/operators.md#admin-keys`). Methods reject with `AdminKeyRejected`.
 */
export class AdminKeys {
  private readonly keys: KeyStreams;

  constructor(protected readonly ports: Pick<Ports, 'store' | 'clock'>) {
    this.keys = new KeyStreams(ports);
  }

  issueAdminKey(actor: Actor, { name }: { readonly name: string }): Promise<IssuedAdminKey> {
    return this.issue(actor, name);
  }

  /** In order of creation, including revoked keys. */
  async listAdminKeys(): Promise<readonly AdminKey[]> {
    const recorded = await readWholeStream(this.ports.store, ADMIN_KEYS_STREAM);
    return foldAdminKeys(recorded.map((event) => fromRecorded(adminKeysCodec, event)));
  }

  /** Issues a key of the same name, which works at once. The old key stops within 2 s on every instance. */
  async rotateAdminKey(actor: Actor, idOrName: string): Promise<IssuedAdminKey> {
    const old = await this.find(idOrName);
    const issued = await this.issue(actor, old.name, old.id);
    await this.revoke(actor, old, { replacedBy: issued.keyId });
    return issued;
  }

  async revokeAdminKey(actor: Actor, idOrName: string, reason?: string): Promise<AdminKey> {
    const key = await this.find(idOrName);
    const keys = await this.revoke(actor, key, reason === undefined ? {} : { reason });
    return keys.find(({ id }) => id === key.id) ?? key;
  }

  /** Lists a working key that was created before the list existed. Has no effect if it is listed or does not work. */
  async adoptAdminKey(actor: Actor, key: string): Promise<void> {
    const keyHash = sha256(key);
    const activation = await readActivation(this.ports.store, keyHash);
    if (!activation || activation.merchantId !== undefined) return;
    const { at, keyId, name } = activation;
    const listed = { at, keyId, keyHash, name, lastFour: key.slice(-4), createdBy: actor.name };
    await this.change(actor, (keys) => issueAdminKey(keys, listed));
  }

  private async issue(actor: Actor, name: string, replaces?: string): Promise<IssuedAdminKey> {
    const keyId = newId('key_', this.ports.clock);
    const { key, keyHash, lastFour } = generateKey('ak_');
    const at = iso(this.ports.clock.now());
    const listed = { at, keyId, keyHash, name, lastFour, createdBy: actor.name };
    await this.change(actor, (keys) =>
      issueAdminKey(keys, { ...listed, ...(replaces !== undefined && { replaces }) }),
    );
    await this.keys.activate(keyHash, { at, keyId, name, readOnly: false }, { merchantId: '', actor });
    return { keyId, key, name, createdAt: at };
  }

  private async revoke(
    actor: Actor,
    { id: keyId, hash }: AdminKey,
    details: { readonly replacedBy?: string; readonly reason?: string },
  ): Promise<ListedKeys> {
    await this.keys.revoke(hash, { merchantId: '', actor });
    const revocation = { at: iso(this.ports.clock.now()), keyId, revokedBy: actor.name, ...details };
    return this.change(actor, (keys) => revokeAdminKey(keys, revocation), details.reason);
  }

  private async find(idOrName: string): Promise<AdminKey> {
    const found = findAdminKey(await this.listAdminKeys(), idOrName);
    if ('code' in found) throw new AdminKeyRejected(found);
    return found;
  }

  /** @throws AdminKeyRejected */
  private change(
    actor: Actor,
    decide: (keys: ListedKeys) => AdminKeyDecision,
    reason?: string,
  ): Promise<ListedKeys> {
    const change = {
      stream: ADMIN_KEYS_STREAM,
      codec: adminKeysCodec,
      cause: { merchantId: '', actor, reason },
    };
    return decideAndAppend(this.ports, change, (history) => {
      const decision = decide(foldAdminKeys(history));
      if (decision.kind === 'Rejected') throw new AdminKeyRejected(decision.rejection);
      return { events: decision.events, value: foldAdminKeys([...history, ...decision.events]) };
    });
  }
}
