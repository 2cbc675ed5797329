import { foldOf } from '../shared/fold.js';
import { ImpossibleHistory, unhandledEvent } from '../shared/impossible-history.js';
import type { HolderChanged, HolderCreated, HolderEvent } from './holder.events.js';
import { noHolder, type Holder, type HolderState } from './holder.state.js';

export const foldHolder = foldOf<HolderState, HolderEvent>(evolveHolder, noHolder);

/** The next state. @throws ImpossibleHistory if no decision could have made this history */
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
      if (state.status !== 'Erased')
        throw new ImpossibleHistory('only an erasure that was started can be finished');
      return { ...state, erasureFinished: true };
    default:
      return unhandledEvent(event);
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
  const reason = state.status === 'None' ? 'was never created' : 'was erased';
  throw new ImpossibleHistory(`${type} of an account holder that ${reason}`);
}
