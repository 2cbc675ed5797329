import { randomBytes } from 'node:crypto';
import {
  addPaymentMethod,
  apiKeyCodec,
  apiKeyStream,
  createMerchant,
  disableMerchant,
  enableMerchant,
  evolveMerchant,
  foldMerchant,
  issueApiKey,
  merchantCodec,
  merchantStream,
  revokeApiKey,
  setPaymentMethodDisabled,
  type ApiKeyEvent,
  type Merchant,
  type MerchantDecision,
  type MerchantEvent,
  type MerchantRefusal,
  type MerchantSettings,
  type MerchantState,
  type PaymentMethod,
  type PaymentMethodType,
} from '@tillstream/domain';
import { transact, type EventStore } from '@tillstream/event-store';
import { iso, type Clock } from './clock.port.js';
import { fromRecorded, toNewEvents, type Cause } from './event-metadata.js';
import { newId, sha256 } from './identities.js';
import type { IssuedKey, NewPaymentMethod, Provisioning } from './provisioning.types.js';
import type { ReadModelWriter } from './read-model.port.js';
import type { Actor } from './request.types.js';
import { tellOfMerchant } from './telling.js';

/** A merchant's decider said no. */
export class ProvisioningRefused extends Error {
  override readonly name = 'ProvisioningRefused';
  constructor(readonly refusal: MerchantRefusal) {
    super(refusal.message);
  }
}

/** With their snapshots far below what one append may hold. */
const ADDED_AT_ONCE = 100;

const PREFIX: Record<PaymentMethodType, string> = {
  Physical: 'pmt_trm_',
  Virtual: 'pmt_vrt_',
  VirtualAch: 'pmt_ach_',
  VirtualEft: 'pmt_eft_',
};

export class StreamProvisioning implements Provisioning {
  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
    private readonly readModels: ReadModelWriter,
  ) {}

  createMerchant(actor: Actor, settings: MerchantSettings): Promise<Merchant> {
    const merchantId = newId('mer_', this.clock);
    return this.change(actor, merchantId, (state, at) =>
      createMerchant(state, { at, merchantId, ...settings }),
    );
  }

  setMerchantDisabled(
    actor: Actor,
    merchantId: string,
    disabled: boolean,
    reason?: string,
  ): Promise<Merchant> {
    const decide = disabled ? disableMerchant : enableMerchant;
    return this.change(
      actor,
      merchantId,
      (state, at) => decide(state, { at, ...(reason !== undefined && { reason }) }),
      reason,
    );
  }

  /** Listed by the merchant first, then made to work: a crash between the two leaves a key that opens nothing. */
  async issueApiKey(
    actor: Actor,
    merchantId: string,
    {
      name,
      readOnly,
      mode,
    }: { readonly name: string; readonly readOnly: boolean; readonly mode: 'test' | 'live' },
  ): Promise<IssuedKey> {
    const keyId = newId('key_', this.clock);
    const key = `sk_${mode}_${randomBase62(32)}`;
    const keyHash = sha256(key);
    const issued = { keyId, keyHash, name, readOnly, lastFour: key.slice(-4) };
    await this.change(actor, merchantId, (state, at) => issueApiKey(state, { at, ...issued }));
    const activated = { at: iso(this.clock.now()), keyId, name, readOnly, merchantId };
    await this.appendToKey(keyHash, actor, merchantId, () => [{ type: 'KeyActivated', data: activated }]);
    return { keyId, key };
  }

  async revokeApiKey(actor: Actor, merchantId: string, keyId: string): Promise<void> {
    const merchant = await this.change(actor, merchantId, (state, at) => revokeApiKey(state, { at, keyId }));
    const hash = merchant.apiKeys.find(({ id }) => id === keyId)?.hash;
    if (hash) await this.revoke(hash, actor, merchantId);
  }

  async issueAdminKey(actor: Actor, { name }: { readonly name: string }): Promise<IssuedKey> {
    const keyId = newId('key_', this.clock);
    const key = `ak_${randomBase62(32)}`;
    const activated = { at: iso(this.clock.now()), keyId, name, readOnly: false };
    await this.appendToKey(sha256(key), actor, '', () => [{ type: 'KeyActivated', data: activated }]);
    return { keyId, key };
  }

  async revokeAdminKey(actor: Actor, keyHash: string): Promise<void> {
    await this.revoke(keyHash, actor, '');
  }

  async addPaymentMethod(actor: Actor, merchantId: string, method: NewPaymentMethod): Promise<PaymentMethod> {
    const [added] = await this.addPaymentMethods(actor, merchantId, [method]);
    if (!added) throw new Error('an added payment method is there');
    return added;
  }

  async addPaymentMethods(
    actor: Actor,
    merchantId: string,
    methods: readonly NewPaymentMethod[],
  ): Promise<readonly PaymentMethod[]> {
    const named = methods.map((method) => ({
      ...method,
      paymentMethodId: newId(PREFIX[method.type], this.clock),
    }));
    const added: PaymentMethod[] = [];
    for (let from = 0; from < named.length; from += ADDED_AT_ONCE) {
      const some = named.slice(from, from + ADDED_AT_ONCE);
      const merchant = await this.change(actor, merchantId, (state, at) => addAll(state, some, at));
      const ids = new Set(some.map(({ paymentMethodId }) => paymentMethodId));
      added.push(...merchant.paymentMethods.filter(({ id }) => ids.has(id)));
    }
    return added;
  }

  async setPaymentMethodDisabled(
    actor: Actor,
    merchantId: string,
    paymentMethodId: string,
    disabled: boolean,
  ): Promise<void> {
    await this.change(actor, merchantId, (state, at) =>
      setPaymentMethodDisabled(state, { at, paymentMethodId, disabled }),
    );
  }

  /** @throws ProvisioningRefused */
  private async change(
    actor: Actor,
    merchantId: string,
    decide: (state: MerchantState, at: string) => MerchantDecision,
    reason?: string,
  ): Promise<Merchant> {
    const cause: Cause = { merchantId, actor, ...(reason !== undefined && { reason }) };
    const result = await transact(this.store, {
      stream: merchantStream(merchantId),
      attempts: Number.POSITIVE_INFINITY,
      decide: (history) => {
        const state = foldMerchant(history.map((one) => fromRecorded(merchantCodec, one)));
        const decision = decide(state, iso(this.clock.now()));
        if (decision.kind === 'Refused') throw new ProvisioningRefused(decision.refusal);
        return { events: toNewEvents(merchantCodec, decision.events, cause, this.clock), value: undefined };
      },
    });
    const history = result.kind === 'Done' ? result.history : [];
    const merchant = foldMerchant(history.map((one) => fromRecorded(merchantCodec, one)));
    if (merchant.status === 'None') throw new Error('a merchant that was changed is there');
    await tellOfMerchant(this.readModels, { stream: merchantStream(merchantId), history, state: merchant });
    return merchant;
  }

  private async revoke(keyHash: string, actor: Actor, merchantId: string): Promise<void> {
    const at = iso(this.clock.now());
    await this.appendToKey(keyHash, actor, merchantId, (events) => {
      const works =
        events.some(({ type }) => type === 'KeyActivated') &&
        !events.some(({ type }) => type === 'KeyRevoked');
      return works ? [{ type: 'KeyRevoked', data: { at } }] : [];
    });
  }

  private async appendToKey(
    keyHash: string,
    actor: Actor,
    merchantId: string,
    decide: (events: readonly ApiKeyEvent[]) => readonly ApiKeyEvent[],
  ): Promise<void> {
    await transact(this.store, {
      stream: apiKeyStream(keyHash),
      attempts: Number.POSITIVE_INFINITY,
      decide: (history) => {
        const events = decide(history.map((one) => fromRecorded(apiKeyCodec, one)));
        return {
          events: toNewEvents(apiKeyCodec, events, { merchantId, actor }, this.clock),
          value: undefined,
        };
      },
    });
  }
}

/** One decision after the other, each on what the one before it left. */
function addAll(
  state: MerchantState,
  methods: readonly (NewPaymentMethod & { readonly paymentMethodId: string })[],
  at: string,
): MerchantDecision {
  let next = state;
  const events: MerchantEvent[] = [];
  for (const [index, method] of methods.entries()) {
    // A millisecond apart: lists keep the order in which they were named.
    const decision = addPaymentMethod(next, { at: iso(Date.parse(at) + index), ...method });
    if (decision.kind === 'Refused') return decision;
    events.push(...decision.events);
    next = decision.events.reduce(evolveMerchant, next);
  }
  return { kind: 'Accepted', events, value: undefined };
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Bytes that would favour the first letters are left out. */
function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += BASE62[byte % 62];
    }
  }
  return text;
}
