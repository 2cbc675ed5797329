import type { HolderPersonal } from '@tillstream/domain';

/* Account holders (`docs/spec/payment-methods.md#account-holders`). */

/** Exactly one of `id` and `externalId` is given (the caller checks it). An unknown external id creates the holder. */
export interface HolderReference extends HolderPersonal {
  readonly id?: string;
}

/** An account holder with its personal data decrypted. */
export interface HolderView extends HolderPersonal {
  /** `acc_…`. */
  readonly id: string;
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
