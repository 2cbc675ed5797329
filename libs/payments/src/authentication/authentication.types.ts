import type { Merchant } from '@tillstream/domain';

/** A merchant's key, looked up strongly and believed for at most 2 s. */
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
  /** Undefined: unknown or revoked. */
  authenticate(key: string): Promise<AuthenticatedMerchant | AuthenticatedOperator | undefined>;
  findMerchant(merchantId: string): Promise<Merchant | undefined>;
  /** As the store has it now. */
  readMerchant(merchantId: string): Promise<Merchant | undefined>;
  /** This process changed it: nothing older is believed from now on. */
  forgetMerchant(merchantId: string): void;
}
