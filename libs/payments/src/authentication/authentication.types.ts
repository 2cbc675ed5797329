import type { Merchant } from '@tillstream/domain';

/** A merchant's key. The lookup is strongly consistent, and cached for at most 2 s. */
export interface AuthenticatedMerchant {
  readonly kind: 'Merchant';
  readonly merchant: Merchant;
  readonly keyId: string;
  readonly keyName: string;
  readonly readOnly: boolean;
}

export interface AuthenticatedOperator {
  readonly kind: 'Operator';
  readonly keyId: string;
  readonly keyName: string;
}

export interface Authentication {
  /** Undefined: the key is unknown or revoked. */
  authenticate(key: string): Promise<AuthenticatedMerchant | AuthenticatedOperator | undefined>;
  /** May be up to 2 s old. */
  findMerchant(merchantId: string): Promise<Merchant | undefined>;
  /** Reads the store; never from the cache. */
  readMerchant(merchantId: string): Promise<Merchant | undefined>;
  /** This process changed the merchant: older cached states are not used any more. */
  forgetMerchant(merchantId: string): void;
}
