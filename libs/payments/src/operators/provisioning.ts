import {
  addPaymentMethod,
  addPaymentMethods,
  changeMerchant,
  changePaymentMethod,
  createMerchant,
  disableMerchant,
  enableMerchant,
  type AdminKey,
  type IssuedApiKey,
  type Merchant,
  type MerchantSettings,
  type PaymentMethod,
  type PaymentMethodType,
} from '@tillstream/domain';
import type { EventStore } from '@tillstream/event-store';
import type { Clock } from '../ports/clock.port.js';
import { idForCommand, newId } from '../identifiers.js';
import { StreamAdminKeys } from './admin-keys.js';
import { MerchantRepository } from './merchant.repository.js';
import { MerchantKeys } from './merchant-keys.js';
import type { IssuedAdminKey } from './operators.types.js';
import type {
  ChangeRequest,
  IssuedKey,
  NewApiKey,
  NewPaymentMethod,
  PaymentMethodChange,
  Provisioning,
} from './provisioning.types.js';
import type { ReadModelWriter } from '../read-model-write-through/read-model-writer.port.js';
import type { Actor } from '../requests/request.types.js';
import type { Authentication } from '../authentication/authentication.types.js';

/** Keeps an append with its snapshots far below the size limit. */
const METHODS_PER_APPEND = 100;

const ID_PREFIXES: Record<PaymentMethodType, string> = {
  Physical: 'pmt_trm_',
  Virtual: 'pmt_vrt_',
  VirtualAch: 'pmt_ach_',
  VirtualEft: 'pmt_eft_',
};

export class StreamProvisioning implements Provisioning {
  private readonly merchants: MerchantRepository;
  private readonly keys: MerchantKeys;
  private readonly adminKeys: StreamAdminKeys;

  constructor(
    store: EventStore,
    private readonly clock: Clock,
    readModels: ReadModelWriter,
    authentication?: Pick<Authentication, 'forgetMerchant'>,
  ) {
    this.merchants = new MerchantRepository(store, clock, readModels, authentication);
    this.keys = new MerchantKeys(store, clock, this.merchants);
    this.adminKeys = new StreamAdminKeys(store, clock);
  }

  createMerchant(actor: Actor, settings: MerchantSettings, request: ChangeRequest = {}): Promise<Merchant> {
    const merchantId = this.idFor('mer_', request);
    return this.merchants.change({ actor, merchantId, ...request }, (state, at) =>
      createMerchant(state, { at, merchantId, ...settings }),
    );
  }

  changeMerchant(
    actor: Actor,
    merchantId: string,
    settings: Partial<MerchantSettings>,
    request: ChangeRequest = {},
  ): Promise<Merchant> {
    return this.merchants.change({ actor, merchantId, ...request }, (state, at) =>
      changeMerchant(state, { at, ...settings }),
    );
  }

  setMerchantDisabled(
    actor: Actor,
    merchantId: string,
    disabled: boolean,
    reason?: string,
    request: ChangeRequest = {},
  ): Promise<Merchant> {
    const decide = disabled ? disableMerchant : enableMerchant;
    const withReason = reason === undefined ? {} : { reason };
    return this.merchants.change({ actor, merchantId, ...request, reason }, (state, at) =>
      decide(state, { at, ...withReason }),
    );
  }

  issueApiKey(
    actor: Actor,
    merchantId: string,
    key: NewApiKey,
    request: ChangeRequest = {},
  ): Promise<IssuedKey> {
    return this.keys.issue(actor, merchantId, key, request);
  }

  revokeApiKey(
    actor: Actor,
    merchantId: string,
    keyId: string,
    request: ChangeRequest = {},
  ): Promise<IssuedApiKey> {
    return this.keys.revoke(actor, merchantId, keyId, request);
  }

  issueAdminKey(actor: Actor, key: { readonly name: string }): Promise<IssuedAdminKey> {
    return this.adminKeys.issueAdminKey(actor, key);
  }

  listAdminKeys(): Promise<readonly AdminKey[]> {
    return this.adminKeys.listAdminKeys();
  }

  rotateAdminKey(actor: Actor, idOrName: string): Promise<IssuedAdminKey> {
    return this.adminKeys.rotateAdminKey(actor, idOrName);
  }

  revokeAdminKey(actor: Actor, idOrName: string, reason?: string): Promise<AdminKey> {
    return this.adminKeys.revokeAdminKey(actor, idOrName, reason);
  }

  adoptAdminKey(actor: Actor, key: string): Promise<void> {
    return this.adminKeys.adoptAdminKey(actor, key);
  }

  async addPaymentMethod(
    actor: Actor,
    merchantId: string,
    method: NewPaymentMethod,
    request: ChangeRequest = {},
  ): Promise<PaymentMethod> {
    const paymentMethodId = this.idFor(ID_PREFIXES[method.type], request);
    const merchant = await this.merchants.change({ actor, merchantId, ...request }, (state, at) =>
      addPaymentMethod(state, { at, paymentMethodId, ...method }),
    );
    return findMethod(merchant, paymentMethodId);
  }

  async addPaymentMethods(
    actor: Actor,
    merchantId: string,
    methods: readonly NewPaymentMethod[],
  ): Promise<readonly PaymentMethod[]> {
    const methodsWithIds = methods.map((method) => ({
      ...method,
      paymentMethodId: newId(ID_PREFIXES[method.type], this.clock),
    }));
    const added: PaymentMethod[] = [];
    for (let from = 0; from < methodsWithIds.length; from += METHODS_PER_APPEND) {
      const batch = methodsWithIds.slice(from, from + METHODS_PER_APPEND);
      const merchant = await this.merchants.change({ actor, merchantId }, (state, at) =>
        addPaymentMethods(
          state,
          batch.map((method) => ({ at, ...method })),
        ),
      );
      const ids = new Set(batch.map(({ paymentMethodId }) => paymentMethodId));
      added.push(...merchant.paymentMethods.filter(({ id }) => ids.has(id)));
    }
    return added;
  }

  async changePaymentMethod(
    actor: Actor,
    merchantId: string,
    paymentMethodId: string,
    change: PaymentMethodChange,
    request: ChangeRequest = {},
  ): Promise<PaymentMethod> {
    const merchant = await this.merchants.change({ actor, merchantId, ...request }, (state, at) =>
      changePaymentMethod(state, { at, paymentMethodId, ...change }),
    );
    return findMethod(merchant, paymentMethodId);
  }

  async setPaymentMethodDisabled(
    actor: Actor,
    merchantId: string,
    paymentMethodId: string,
    disabled: boolean,
  ): Promise<void> {
    await this.changePaymentMethod(actor, merchantId, paymentMethodId, { disabled });
  }

  private idFor(prefix: string, { commandId }: ChangeRequest): string {
    return commandId === undefined ? newId(prefix, this.clock) : idForCommand(prefix, commandId);
  }
}

function findMethod({ paymentMethods }: Merchant, paymentMethodId: string): PaymentMethod {
  const method = paymentMethods.find(({ id }) => id === paymentMethodId);
  if (!method) throw new Error('the merchant does not have the written payment method');
  return method;
}
