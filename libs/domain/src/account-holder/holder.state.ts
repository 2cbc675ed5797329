import { ImpossibleHistory } from '../payment/payment.impossible.js';
import type { Encrypted } from '../payment/payment.events.js';
import type { ExternalIdEvent, HolderEvent } from './holder.events.js';

export type HolderState = NoHolder | Holder;

export interface NoHolder {
  readonly status: 'None';
}

export interface Holder {
  /** `Erased`: nothing of the person can be read any more; its tokens are on their way out. */
  readonly status: 'Active' | 'Erased';
  /** `acc_…`. */
  readonly id: string;
  readonly merchantId: string;
  readonly externalIdHash?: string;
  readonly personal: Encrypted;
  /** Every token that ever was to be the holder's; the token itself says whether it is. */
  readonly tokenIds: readonly string[];
  readonly commandIds: readonly string[];
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly erasureFinished: boolean;
}

export const noHolder: NoHolder = { status: 'None' };

export function foldHolder(events: Iterable<HolderEvent>, from: HolderState = noHolder): HolderState {
  let state = from;
  for (const event of events) state = evolveHolder(state, event);
  return state;
}

export function evolveHolder(state: HolderState, event: HolderEvent): HolderState {
  if (event.type === 'HolderCreated') {
    if (state.status !== 'None') throw new ImpossibleHistory('an account holder is created once');
    const { at, commandId, holderId, merchantId, externalIdHash, personal } = event.data;
    return {
      status: 'Active',
      id: holderId,
      merchantId,
      ...(externalIdHash !== undefined && { externalIdHash }),
      personal,
      tokenIds: [],
      commandIds: [commandId],
      createdAt: at,
      updatedAt: at,
      erasureFinished: false,
    };
  }
  if (state.status === 'None')
    throw new ImpossibleHistory(`${event.type} of a holder that was never created`);
  switch (event.type) {
    case 'HolderChanged': {
      const { at, commandId, externalIdHash, personal } = event.data;
      return {
        ...state,
        ...(externalIdHash !== undefined && { externalIdHash }),
        personal,
        commandIds: [...state.commandIds, commandId],
        updatedAt: at,
      };
    }
    case 'TokenLinked':
      return { ...state, tokenIds: [...state.tokenIds, event.data.tokenId] };
    case 'HolderErased': {
      const { at, commandId } = event.data;
      return { ...state, status: 'Erased', commandIds: [...state.commandIds, commandId], updatedAt: at };
    }
    case 'HolderErasureFinished':
      return { ...state, erasureFinished: true };
  }
}

/** The holder that an external id means now, whether or not it was made; undefined: nobody. */
export function claimedHolder(events: Iterable<ExternalIdEvent>): string | undefined {
  let holderId: string | undefined;
  for (const { type, data } of events) {
    if (type === 'ExternalIdClaimed') holderId = data.holderId;
    else if (data.holderId === holderId) holderId = undefined;
  }
  return holderId;
}
