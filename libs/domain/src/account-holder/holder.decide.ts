import { accepted, rejected, type Decision } from '../shared/decision.js';
import type {
  HolderChanged,
  HolderCreated,
  HolderErased,
  HolderEvent,
  TokenLinked,
} from './holder.events.js';
import type { HolderState } from './holder.state.js';

/* Every rule on account holders (`docs/spec/payment-methods.md#account-holders`). A refusal changes nothing. */

export interface HolderRejection {
  readonly code:
    | 'HolderNotFound'
    /** The external id has a holder already. */
    | 'ExternalIdTaken'
    | 'HolderExists';
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

/** Before a token names the holder. One that is erased takes no more. */
export function linkToken(state: HolderState, data: TokenLinked): HolderDecision {
  if (state.status !== 'Active') return rejected(holderNotFound);
  return state.tokenIds.includes(data.tokenId)
    ? accepted([], undefined)
    : accepted([{ type: 'TokenLinked', data }], undefined);
}

/** The person is forgotten: from here on nothing is found, changed or linked; keys and tokens follow. */
export function eraseHolder(state: HolderState, data: HolderErased): HolderDecision {
  if (isRepeated(state, data.commandId)) return accepted([], undefined);
  if (state.status !== 'Active') return rejected(holderNotFound);
  return accepted([{ type: 'HolderErased', data }], undefined);
}

/** Keys destroyed, external id released, no token left. */
export function finishErasure(state: HolderState, data: { readonly at: string }): HolderDecision {
  if (state.status !== 'Erased') return rejected(holderNotFound);
  return state.erasureFinished
    ? accepted([], undefined)
    : accepted([{ type: 'HolderErasureFinished', data }], undefined);
}

function isRepeated(state: HolderState, commandId: string): boolean {
  return state.status !== 'None' && state.commandIds.includes(commandId);
}
