import type { Encrypted } from '../../shared/event.shapes.js';
import { givenBy } from '../../shared/testing/given-when-then.testing.js';
import { foldHolder, type Holder, type HolderEvent, type HolderState } from '../holder.js';

export const given = givenBy<HolderState, HolderEvent>(foldHolder);
export const HOLDER_ID = 'acc_01JQ0000000000000000000000';
export const minutes = (count: number): string =>
  new Date(Date.UTC(2026, 2, 1, 12) + count * 60_000).toISOString();
export const sealed = (text: string): Encrypted => ({ keyId: HOLDER_ID, iv: 'aXY=', ciphertext: text });

export const creation = {
  at: minutes(0),
  commandId: 'create',
  holderId: HOLDER_ID,
  merchantId: 'mer_1',
  personal: sealed('first'),
};
export const created = (externalIdHash?: string): HolderEvent => ({
  type: 'HolderCreated',
  data: { ...creation, ...(externalIdHash !== undefined && { externalIdHash }) },
});
export const change = { at: minutes(1), commandId: 'change', personal: sealed('second') };
export const changed = (externalIdHash?: string): HolderEvent => ({
  type: 'HolderChanged',
  data: { ...change, ...(externalIdHash !== undefined && { externalIdHash }) },
});
export const link = { at: minutes(2), tokenId: 'pmt_tkn_1' };
export const linked: HolderEvent = { type: 'TokenLinked', data: link };
export const erasure = { at: minutes(3), commandId: 'erase' };
export const erased: HolderEvent = { type: 'HolderErased', data: erasure };
export const finished: HolderEvent = { type: 'HolderErasureFinished', data: { at: minutes(4) } };

export const holderOf = (state: HolderState): Holder => {
  if (state.status === 'None') throw new Error('no holder was created');
  return state;
};
