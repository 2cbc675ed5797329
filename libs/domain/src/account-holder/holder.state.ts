import { ImpossibleHistory } from '../shared/impossible-history.js';
import type { Encrypted } from '../payment/payment.events.js';
import type { HolderChanged, HolderCreated, HolderEvent } from './holder.events.js';

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

/** The next state. What no decision could have made is impossible and throws. */
export function evolveHolder(state: HolderState, event: HolderEvent): HolderState {
  switch (event.type) {
    case 'HolderCreated':
      return newHolder(state, event.data);
    case 'HolderChanged':
      return updateHolder(requireActive(state, event), event.data);
    case 'TokenLinked': {
      const holder = requireActive(state, event);
      return { ...holder, tokenIds: [...holder.tokenIds, event.data.tokenId] };
    }
    case 'HolderErased': {
      const holder = requireActive(state, event);
      const { at, commandId } = event.data;
      const commandIds = [...holder.commandIds, commandId];
      return { ...holder, status: 'Erased', commandIds, updatedAt: at };
    }
    case 'HolderErasureFinished':
      if (state.status !== 'Erased') throw new ImpossibleHistory('only what was begun can be finished');
      return { ...state, erasureFinished: true };
    default:
      return unhandled(event);
  }
}

function newHolder(state: HolderState, data: HolderCreated): Holder {
  if (state.status !== 'None') throw new ImpossibleHistory('an account holder is created once');
  const { at, commandId, holderId, merchantId, externalIdHash, personal } = data;
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

function updateHolder(holder: Holder, data: HolderChanged): Holder {
  const { at, commandId, externalIdHash, personal } = data;
  return {
    ...holder,
    ...(externalIdHash !== undefined && { externalIdHash }),
    personal,
    commandIds: [...holder.commandIds, commandId],
    updatedAt: at,
  };
}

function requireActive(state: HolderState, { type }: HolderEvent): Holder {
  if (state.status === 'Active') return state;
  const what = state.status === 'None' ? 'was never created' : 'was erased';
  throw new ImpossibleHistory(`${type} of an account holder that ${what}`);
}

function unhandled(event: never): never {
  throw new ImpossibleHistory(`event type ${(event as HolderEvent).type} is not handled`);
}
