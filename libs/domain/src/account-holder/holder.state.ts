import type { Encrypted } from '../shared/event.shapes.js';

export type HolderState = NoHolder | Holder;

export interface NoHolder {
  readonly status: 'None';
}

export interface Holder {
  /** `Erased`: the personal data can not be read any more; the resolver removes the tokens. */
  readonly status: 'Active' | 'Erased';
  /** `acc_…`. */
  readonly id: string;
  readonly merchantId: string;
  readonly externalIdHash?: string;
  readonly personal: Encrypted;
  /** Every token that was ever linked. Whether a token still belongs to the holder is in the token's own stream. */
  readonly tokenIds: readonly string[];
  readonly commandIds: readonly string[];
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly erasureFinished: boolean;
}

export const noHolder: NoHolder = { status: 'None' };
