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
} from '@tillstream/domain';
import { readWholeStream, transact, type EventStore, type RecordedEvent } from '@tillstream/event-store';
import { iso, type Clock } from '../ports/clock.port.js';
import { fromRecorded, toNewEvents } from '../stream-repository/event-metadata.js';
import { newId, sha256 } from '../identifiers.js';
import type { Actor } from '../requests/request.types.js';
import type { AdminKeys, IssuedAdminKey } from './operators.types.js';
import { KeyStreams, generateKey, readActivation } from './key-streams.js';

/** The admin key is unknown, several keys have its name, or there are too many. */
export class AdminKeyRejected extends Error {
  override readonly name = 'AdminKeyRejected';
  constructor(readonly rejection: AdminKeyRejection) {
    super(rejection.message);
  }
}

/**
 * Operators' keys: one stream lists all of them, and each has its own stream. A key is listed before it works, and stops
 * working before it is listed as revoked. So the list shows every key that works, also after a crash between both steps.
 */
export class StreamAdminKeys implements AdminKeys {
  private readonly keys: KeyStreams;

  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
  ) {
    this.keys = new KeyStreams(store, clock);
  }

  issueAdminKey(actor: Actor, { name }: { readonly name: string }): Promise<IssuedAdminKey> {
    return this.issue(actor, name);
  }

  async listAdminKeys(): Promise<readonly AdminKey[]> {
    return listedKeys(await readWholeStream(this.store, ADMIN_KEYS_STREAM));
  }

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

  async adoptAdminKey(actor: Actor, key: string): Promise<void> {
    const keyHash = sha256(key);
    const activation = await readActivation(this.store, keyHash);
    if (!activation || activation.merchantId !== undefined) return;
    const { at, keyId, name } = activation;
    const listed = { at, keyId, keyHash, name, lastFour: key.slice(-4), createdBy: actor.name };
    await this.change(actor, (keys) => issueAdminKey(keys, listed));
  }

  private async issue(actor: Actor, name: string, replaces?: string): Promise<IssuedAdminKey> {
    const keyId = newId('key_', this.clock);
    const { key, keyHash, lastFour } = generateKey('ak_');
    const at = iso(this.clock.now());
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
    const revocation = { at: iso(this.clock.now()), keyId, revokedBy: actor.name, ...details };
    return this.change(actor, (keys) => revokeAdminKey(keys, revocation), details.reason);
  }

  private async find(idOrName: string): Promise<AdminKey> {
    const found = findAdminKey(await this.listAdminKeys(), idOrName);
    if ('code' in found) throw new AdminKeyRejected(found);
    return found;
  }

  /** @throws AdminKeyRejected */
  private async change(
    actor: Actor,
    decide: (keys: ListedKeys) => AdminKeyDecision,
    reason?: string,
  ): Promise<ListedKeys> {
    const cause = { merchantId: '', actor, reason };
    const result = await transact(this.store, {
      stream: ADMIN_KEYS_STREAM,
      decisionsMax: Number.POSITIVE_INFINITY,
      decide: (history) => {
        const decision = decide(listedKeys(history));
        if (decision.kind === 'Rejected') throw new AdminKeyRejected(decision.rejection);
        return { events: toNewEvents(adminKeysCodec, decision.events, cause, this.clock), value: undefined };
      },
    });
    return listedKeys(result.kind === 'Done' ? result.history : []);
  }
}

function listedKeys(history: readonly RecordedEvent[]): ListedKeys {
  return foldAdminKeys(history.map((event) => fromRecorded(adminKeysCodec, event)));
}
