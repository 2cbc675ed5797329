import { issueApiKey, revokeApiKey, type IssuedApiKey } from '@tillstream/domain';
import { EventStoreError } from '@tillstream/event-store';
import { iso } from '../ports/clock.port.js';
import { idForCommand, newId } from '../identifiers.js';
import type { ChangeRequest, IssuedKey, NewApiKey } from './provisioning.js';
import type { Actor } from '../requests/request.types.js';
import { KeyStreams, generateKey } from './key-streams.js';
import type { MerchantChange, MerchantRepository } from './merchant.repository.js';
import type { Ports } from '../parts.js';

/**
 * A merchant's keys: the merchant's stream lists them, and each has its own stream. A key is listed before it works, and
 * stops working before it is listed as revoked.
 */
export class MerchantKeys {
  private readonly keys: KeyStreams;

  constructor(
    private readonly ports: Pick<Ports, 'store' | 'clock'>,
    private readonly merchants: MerchantRepository,
  ) {
    this.keys = new KeyStreams(ports);
  }

  async issue(
    actor: Actor,
    merchantId: string,
    { name, readOnly, mode }: NewApiKey,
    { commandId, traceId }: ChangeRequest = {},
  ): Promise<IssuedKey> {
    const traced = { actor, merchantId, traceId };
    const keyId =
      commandId === undefined ? newId('key_', this.ports.clock) : await this.unusedKeyId(traced, commandId);
    const { key, keyHash, lastFour } = generateKey(`sk_${mode}_`);
    const at = iso(this.ports.clock.now());
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
    { commandId, traceId }: ChangeRequest = {},
  ): Promise<IssuedApiKey> {
    const state = await this.merchants.load(merchantId);
    const listed = state.status === 'None' ? undefined : state.apiKeys.find(({ id }) => id === keyId);
    const traced = { actor, merchantId, traceId };
    if (listed) await this.keys.revoke(listed.hash, traced);
    const revoking = this.merchants.change({ ...traced, commandId }, (now, at) =>
      revokeApiKey(now, { at, keyId }),
    );
    const merchant = await failAsUnknown(revoking);
    const key = merchant.apiKeys.find(({ id }) => id === keyId);
    if (!key) throw new Error('the merchant does not list the revoked key');
    return key;
  }

  /**
   * Gives an id for the key of a command that may have run before. The client never saw the key of an earlier run, so that
   * key is revoked and replaced.
   */
  private async unusedKeyId(
    { actor, merchantId, traceId }: MerchantChange,
    commandId: string,
  ): Promise<string> {
    const state = await this.merchants.load(merchantId);
    const known = new Map(state.status === 'None' ? [] : state.apiKeys.map((key) => [key.id, key]));
    for (let run = 0; ; run++) {
      const keyId = idForCommand('key_', `${commandId} ${run}`);
      const unseen = known.get(keyId);
      if (!unseen) return keyId;
      if (!unseen.revoked) await this.revoke(actor, merchantId, keyId, { traceId });
    }
  }
}

/** The first step is durable. If the second one fails, the whole change is neither done nor undone: `Unknown`. */
async function failAsUnknown<T>(step: Promise<T>): Promise<T> {
  try {
    return await step;
  } catch (error) {
    if (!(error instanceof EventStoreError)) throw error;
    throw new EventStoreError('Unknown', `only a part was written: ${error.message}`, { cause: error });
  }
}
