import { accepted, rejected, type Decision } from '../shared/decision.js';
import type {
  HolderChanged,
  HolderCreated,
  HolderErased,
  HolderEvent,
  TokenLinked,
} from './holder.events.js';
import type { HolderState } from './holder.state.js';

/* Every rule on account holders (`docs/spec/payment-methods.md#account-holders`). A rejection changes nothing. */

export interface HolderRejection {
  readonly code: 'HolderNotFound' | 'ExternalIdTaken' | 'HolderExists';
  readonly message: string;
}

export type HolderDecision = Decision<HolderEvent, HolderRejection>;

export const holderNotFound: HolderRejection = {
  code: 'HolderNotFound',
  message: 'There is no such account holder.',
};

export function createHolder(state: HolderState, data: HolderCreated): HolderDecision {
  if (isRepeated(state, data.commandId)) return accepted([], undefined);
  if (state.status !== 'None')
    return rejected({ code: 'HolderExists', message: 'This account holder exists already.' });
  return accepted([{ type: 'HolderCreated', data }], undefined);
}

export function changeHolder(state: HolderState, data: HolderChanged): HolderDecision {
  if (isRepeated(state, data.commandId)) return accepted([], undefined);
  if (state.status !== 'Active') return rejected(holderNotFound);
  return accepted([{ type: 'HolderChanged', data }], undefined);
}

/** Comes before the token names the holder. An erased holder takes no tokens. */
export function linkToken(state: HolderState, data: TokenLinked): HolderDecision {
  if (state.status !== 'Active') return rejected(holderNotFound);
  return state.tokenIds.includes(data.tokenId)
    ? accepted([], undefined)
    : accepted([{ type: 'TokenLinked', data }], undefined);
}

/** From here on the holder can not be found, changed or linked. The resolver destroys the keys and removes the tokens. */
export function eraseHolder(state: HolderState, data: HolderErased): HolderDecision {
  if (isRepeated(state, data.commandId)) return accepted([], undefined);
  if (state.status !== 'Active') return rejected(holderNotFound);
  return accepted([{ type: 'HolderErased', data }], undefined);
}

/** Comes after the keys are destroyed, the external id is released and the tokens are removed. */
export function finishErasure(state: HolderState, data: { readonly at: string }): HolderDecision {
  if (state.status !== 'Erased') return rejected(holderNotFound);
  return state.erasureFinished
    ? accepted([], undefined)
    : accepted([{ type: 'HolderErasureFinished', data }], undefined);
}

function isRepeated(state: HolderState, commandId: string): boolean {
  return state.status !== 'None' && state.commandIds.includes(commandId);
}
