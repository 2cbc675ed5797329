import type { BillingContact } from '@tillstream/domain';
import type { RequestContext } from '../requests/request.types.js';

export interface HolderFields {
  readonly name?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly billingContact?: BillingContact;
}

/** Exactly one of both is given: checked before. With an external id the holder is found or made. */
export interface HolderReference extends HolderFields {
  readonly id?: string;
  readonly externalId?: string;
}

/** An account holder with its personal data opened. */
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
      readonly kind: 'Refused';
      readonly refusal: { readonly code: 'HolderNotFound' | 'ExternalIdTaken'; readonly message: string };
    }
  | { readonly kind: 'NotStored' }
  | { readonly kind: 'Contended' };

/** `id` is an `acc_…` id or the merchant's own external id. `commandId`: repeated, it does nothing a second time. */
export interface AccountHolders {
  create(
    context: RequestContext,
    fields: HolderFields & { readonly externalId?: string },
    commandId?: string,
  ): Promise<HolderResult>;
  /** Undefined: unknown, another merchant's or erased. */
  find(merchantId: string, id: string): Promise<HolderView | undefined>;
  change(
    context: RequestContext,
    id: string,
    fields: HolderFields & { readonly externalId?: string },
    commandId?: string,
  ): Promise<HolderResult>;
  /** Removes its tokens and destroys its keys; answers what was known of it. */
  erase(context: RequestContext, id: string, commandId?: string): Promise<HolderResult>;
}
