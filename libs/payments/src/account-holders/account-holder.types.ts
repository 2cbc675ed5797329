import type { BillingContact } from '@tillstream/domain';
import type { RequestContext } from '../requests/request.types.js';

/* Account holders (`docs/spec/payment-methods.md#account-holders`). */

export interface HolderFields {
  readonly name?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly billingContact?: BillingContact;
}

export interface HolderInput extends HolderFields {
  readonly externalId?: string;
}

/** Exactly one of `id` and `externalId` is given (the caller checks it). An unknown external id creates the holder. */
export interface HolderReference extends HolderInput {
  readonly id?: string;
}

/** An account holder with its personal data decrypted. */
export interface HolderView extends HolderFields {
  /** `acc_…`. */
  readonly id: string;
  readonly externalId?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export type HolderResult =
  | { readonly kind: 'Done'; readonly holder: HolderView }
  | {
      readonly kind: 'Rejected';
      readonly rejection: { readonly code: 'HolderNotFound' | 'ExternalIdTaken'; readonly message: string };
    }
  | { readonly kind: 'NotStored' }
  | { readonly kind: 'Contended' };

/**
 * `id` is an `acc_…` id or the merchant's external id. A change with the `commandId` of an earlier change has no effect and
 * returns the holder.
 */
export interface AccountHolders {
  create(context: RequestContext, fields: HolderInput, commandId?: string): Promise<HolderResult>;
  /** Undefined: the holder is unknown, another merchant's or erased. */
  find(merchantId: string, id: string): Promise<HolderView | undefined>;
  change(context: RequestContext, id: string, fields: HolderInput, commandId?: string): Promise<HolderResult>;
  /** Removes the holder's tokens and destroys its keys. Returns the holder as it was before. */
  erase(context: RequestContext, id: string, commandId?: string): Promise<HolderResult>;
}
