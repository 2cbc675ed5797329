import {
  addPaymentMethod,
  addPaymentMethods,
  changeMerchant,
  changePaymentMethod,
  createMerchant,
  disableMerchant,
  enableMerchant,
  findMethodOf,
  type Currency,
  type Merchant,
  type MerchantSettings,
  type PaymentMethod,
  type PaymentMethodAdded,
  type PaymentMethodChanged,
  type PaymentMethodType,
} from '@tillstream/domain';
import { idForCommand, newId } from '../identifiers.js';
import { AdminKeys } from './admin-keys.js';
import { MerchantRepository, type MerchantParts } from './merchant.repository.js';
import { MerchantKeys } from './merchant-keys.js';
import type { Actor } from '../requests/request.types.js';

export interface ChangeRequest {
  /** A change with the id of an earlier change has no effect. */
  readonly commandId?: string | undefined;
  /** 32 hex. */
  readonly traceId?: string | undefined;
}

export interface NewApiKey {
  readonly name: string;
  readonly readOnly: boolean;
  readonly mode: 'test' | 'live';
}

export interface IssuedKey {
  readonly keyId: string;
  readonly key: string;
  readonly name: string;
  readonly readOnly: boolean;
  readonly createdAt: string;
}

/** `currency` left out: the only one that the merchant and the type allow. */
export type NewPaymentMethod = Pick<
  PaymentMethodAdded,
  'type' | 'description' | 'isDefault' | 'formConfig' | 'allowedOrigins'
> & { readonly currency?: Currency };

/** A `type` other than the method's own is rejected. */
export type PaymentMethodChange = Omit<PaymentMethodChanged, 'at' | 'paymentMethodId'> & {
  readonly type?: PaymentMethodType;
};

/** Keeps an append with its snapshots far below the size limit. */
const METHODS_PER_APPEND = 100;

const ID_PREFIXES: Record<PaymentMethodType, string> = {
  Physical: 'pmt_trm_',
  Virtual: 'pmt_vrt_',
  VirtualAch: 'pmt_ach_',
  VirtualEft: 'pmt_eft_',
};

/**
 * Merchants, their keys and payment methods (`docs/spec/operators.md#merchants`), and operators' keys. Each change is stored
 * as an event with the actor's name. A change that changes nothing writes no event. Methods reject with
 * `ProvisioningRejected`.
 */
export class Provisioning extends AdminKeys {
  private readonly merchants: MerchantRepository;
  private readonly merchantKeys: MerchantKeys;

  /** The key works at once. It is returned only once: the store has only its hash. */
  readonly issueApiKey: MerchantKeys['issue'] = (...request) => this.merchantKeys.issue(...request);
  /** The key stops within 2 s on every instance. */
  readonly revokeApiKey: MerchantKeys['revoke'] = (...request) => this.merchantKeys.revoke(...request);

  constructor(parts: MerchantParts) {
    super(parts);
    this.merchants = new MerchantRepository(parts);
    this.merchantKeys = new MerchantKeys(parts, this.merchants);
  }

  /** The merchant can take payments when it has a key and a payment method. */
  createMerchant(actor: Actor, settings: MerchantSettings, request: ChangeRequest = {}): Promise<Merchant> {
    const merchantId = this.idFor('mer_', request);
    return this.merchants.change({ actor, merchantId, ...request }, (state, at) =>
      createMerchant(state, { at, merchantId, ...settings }),
    );
  }

  /** Settings that are left out stay. `unreferencedRefunds` is replaced as a whole. */
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
    { disabled, reason }: { readonly disabled: boolean; readonly reason?: string | undefined },
    request: ChangeRequest = {},
  ): Promise<Merchant> {
    const decide = disabled ? disableMerchant : enableMerchant;
    const withReason = reason === undefined ? {} : { reason };
    return this.merchants.change({ actor, merchantId, ...request, ...withReason }, (state, at) =>
      decide(state, { at, ...withReason }),
    );
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

  /** Adds the methods in their order, a hundred in one append. */
  async addPaymentMethods(
    actor: Actor,
    merchantId: string,
    methods: readonly NewPaymentMethod[],
  ): Promise<readonly PaymentMethod[]> {
    const methodsWithIds = methods.map((method) => ({
      ...method,
      paymentMethodId: newId(ID_PREFIXES[method.type], this.ports.clock),
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
      added.push(...batch.map(({ paymentMethodId }) => findMethod(merchant, paymentMethodId)));
    }
    return added;
  }

  async changePaymentMethod(
    actor: Actor,
    { merchantId, paymentMethodId }: { readonly merchantId: string; readonly paymentMethodId: string },
    change: PaymentMethodChange,
    request: ChangeRequest = {},
  ): Promise<PaymentMethod> {
    const merchant = await this.merchants.change({ actor, merchantId, ...request }, (state, at) =>
      changePaymentMethod(state, { at, paymentMethodId, ...change }),
    );
    return findMethod(merchant, paymentMethodId);
  }

  private idFor(prefix: string, { commandId }: ChangeRequest): string {
    return commandId === undefined ? newId(prefix, this.ports.clock) : idForCommand(prefix, commandId);
  }
}

function findMethod(merchant: Merchant, paymentMethodId: string): PaymentMethod {
  const method = findMethodOf(merchant, paymentMethodId);
  if (!method) throw new Error('the merchant does not have the written payment method');
  return method;
}
