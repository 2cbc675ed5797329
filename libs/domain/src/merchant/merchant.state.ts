import type { MerchantSettings, PaymentMethodAdded } from './merchant.events.js';

export type MerchantState = NoMerchant | Merchant;

export interface NoMerchant {
  readonly status: 'None';
}

export interface Merchant extends MerchantSettings {
  readonly status: 'Active' | 'Disabled';
  readonly id: string;
  readonly createdAt: string;
  /** The last change of settings or status; changes of payment methods and keys do not count. */
  readonly updatedAt: string;
  /** In the order of creation. */
  readonly paymentMethods: readonly PaymentMethod[];
  readonly apiKeys: readonly IssuedApiKey[];
}

export interface PaymentMethod extends Omit<PaymentMethodAdded, 'at' | 'paymentMethodId'> {
  readonly id: string;
  readonly disabled: boolean;
  readonly createdAt: string;
}

export interface IssuedApiKey {
  readonly id: string;
  readonly hash: string;
  readonly name: string;
  readonly readOnly: boolean;
  readonly lastFour: string;
  readonly createdAt: string;
  readonly revoked: boolean;
  readonly revokedAt?: string;
}

export const noMerchant: NoMerchant = { status: 'None' };
