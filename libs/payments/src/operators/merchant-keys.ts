import { issueApiKey, revokeApiKey, type IssuedApiKey } from '@tillstream/domain';
import { EventStoreError, type EventStore } from '@tillstream/event-store';
import { iso, type Clock } from '../ports/clock.port.js';
import { idForCommand, newId } from '../identifiers.js';
import type { ChangeRequest, IssuedKey, NewApiKey } from './provisioning.types.js';
import type { Actor } from '../requests/request.types.js';
import { KeyStreams, generateKey } from './key-streams.js';
import { ProvisioningRejected, type MerchantRepository } from './merchant.repository.js';

/**
 * A merchant's keys: listed by the merchant, and in a stream each. A key is listed before it works, and stops working
 * before it is listed as revoked.
 */
export class MerchantKeys {
  private readonly keys: KeyStreams;

  constructor(
    store: EventStore,
    private readonly clock: Clock,
    private readonly merchants: MerchantRepository,
  ) {
    this.keys = new KeyStreams(store, clock);
  }

  async issue(
    actor: Actor,
    merchantId: string,
    { name, readOnly, mode }: NewApiKey,
    { commandId, traceId }: ChangeRequest,
  ): Promise<IssuedKey> {
    const traced = { actor, merchantId, ...(traceId !== undefined && { traceId }) };
    const keyId =
      commandId === undefined
        ? newId('key_', this.clock)
        : await this.keyIdOf(actor, merchantId, commandId, traceId);
    const { key, keyHash, lastFour } = generateKey(`sk_${mode}_`);
    const at = iso(this.clock.now());
    const issued = { at, keyId, keyHash, name, readOnly, lastFour };
    await this.merchants.change(traced, (state) => issueApiKey(state, issued));
    const activation = { at, keyId, name, readOnly, merchantId };
    await failAsUnknown(this.keys.activate(keyHash, activation, traced));
    return { keyId, key, name, readOnly, createdAt: at };
  }

  async revoke(
    actor: Actor,
    merchantId: string,
    keyId: string,
    { commandId, traceId }: ChangeRequest,
  ): Promise<IssuedApiKey> {
    const state = await this.merchants.load(merchantId);
    const listed = state.status === 'None' ? undefined : state.apiKeys.find(({ id }) => id === keyId);
    const traced = { actor, merchantId, ...(traceId !== undefined && { traceId }) };
    if (listed) await this.keys.revoke(listed.hash, traced);
    const change = { ...traced, ...(commandId !== undefined && { commandId }) };
    const changing = this.merchants.change(change, (now, at) => revokeApiKey(now, { at, keyId }));
    const merchant = await failAsUnknown(changing);
    const key = merchant.apiKeys.find(({ id }) => id === keyId);
    if (!key) throw new Error('a key that was revoked is there');
    return key;
  }

  /**
   * Of a command that may have run before and died: what it made then nobody has ever seen, so it is revoked and another
   * key takes its place.
   */
  private async keyIdOf(
    actor: Actor,
    merchantId: string,
    commandId: string,
    traceId: string | undefined,
  ): Promise<string> {
    const state = await this.merchants.load(merchantId);
    const known = new Map(state.status === 'None' ? [] : state.apiKeys.map((key) => [key.id, key]));
    for (let run = 0; ; run++) {
      const keyId = idForCommand('key_', `${commandId} ${run}`);
      const lost = known.get(keyId);
      if (!lost) return keyId;
      if (!lost.revoked)
        await this.revoke(actor, merchantId, keyId, traceId === undefined ? {} : { traceId });
    }
  }
}

/** A second step that was not written leaves the first: the whole is neither done nor undone. */
async function failAsUnknown<T>(step: Promise<T>): Promise<T> {
  try {
    return await step;
  } catch (error) {
    if (error instanceof ProvisioningRejected || !(error instanceof EventStoreError)) throw error;
    throw new EventStoreError('Unknown', `only a part was written: ${error.message}`, { cause: error });
  }
}
