import {
  accepted,
  eventCodec,
  evolveBy,
  foldOf,
  ImpossibleHistory,
  rejected,
  type Decision,
  type Event,
} from '../shared/aggregate.js';
import type { Encrypted } from '../shared/event.shapes.js';
import { isId } from '../shared/ids.js';

/*
 * The person whose stored cards a merchant keeps, and every rule on account holders
 * (`docs/spec/payment-methods.md#account-holders`). Stream `holder-<26 characters of the acc_ id>`. Personal data is
 * sealed under the holder's own key in the vault; an erasure destroys the key.
 */

export const HOLDER_CATEGORY = 'holder';

/** The form of the service's own ids: no external id may have it. */
export function isHolderId(text: string): boolean {
  return isId('acc_', text);
}

/** Undefined if the text is not an `acc_` id. */
export function streamOfHolder(holderId: string): string | undefined {
  return isHolderId(holderId) ? `${HOLDER_CATEGORY}-${holderId.slice('acc_'.length)}` : undefined;
}

/** Storage: these shapes never change (docs/adr/0014). */
export type HolderEvent =
  | Event<'HolderCreated', HolderCreated>
  | Event<'HolderChanged', HolderChanged>
  | Event<'TokenLinked', TokenLinked>
  | Event<'HolderErased', HolderErased>
  | Event<'HolderErasureFinished', { readonly at: string }>;

export interface HolderErased {
  readonly at: string;
  readonly commandId: string;
}

export interface HolderChanged extends HolderErased {
  /** Hash of the merchant's own id for the holder: it finds the holder without storing the id in clear. */
  readonly externalIdHash?: string;
  /** The complete personal data: external id, name, e-mail, phone, billing contact. */
  readonly personal: Encrypted;
}

export interface HolderCreated extends HolderChanged {
  readonly holderId: string;
  readonly merchantId: string;
}

/** Written before the token names the holder, so that an erasure finds every token that the holder has or will have. */
export interface TokenLinked {
  readonly at: string;
  readonly tokenId: string;
}

/** Frozen examples of each version are in `fixtures/`. */
export const holderCodec = eventCodec<HolderEvent>({
  types: {
    HolderCreated: [],
    HolderChanged: [],
    TokenLinked: [],
    HolderErased: [],
    HolderErasureFinished: [],
  },
});

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

export type HolderState = { readonly status: 'None' } | Holder;

export const noHolder: HolderState = { status: 'None' };

export const evolveHolder = evolveBy<HolderState, HolderEvent>({
  HolderCreated: (state, { at, commandId, holderId: id, ...data }) => {
    if (state.status !== 'None') throw new ImpossibleHistory('an account holder is created once');
    const times = { createdAt: at, updatedAt: at };
    return {
      ...data,
      ...times,
      status: 'Active',
      id,
      tokenIds: [],
      commandIds: [commandId],
      erasureFinished: false,
    };
  },
  HolderChanged: (state, { at: updatedAt, commandId, ...data }, type) => {
    const holder = requireActive(state, type);
    return { ...holder, ...data, commandIds: [...holder.commandIds, commandId], updatedAt };
  },
  TokenLinked: (state, { tokenId }, type) => {
    const holder = requireActive(state, type);
    return { ...holder, tokenIds: [...holder.tokenIds, tokenId] };
  },
  HolderErased: (state, { at: updatedAt, commandId }, type) => {
    const holder = requireActive(state, type);
    return { ...holder, status: 'Erased', commandIds: [...holder.commandIds, commandId], updatedAt };
  },
  HolderErasureFinished: (state) => {
    if (state.status !== 'Erased')
      throw new ImpossibleHistory('only an erasure that was started can be finished');
    return { ...state, erasureFinished: true };
  },
});

function requireActive(state: HolderState, type: HolderEvent['type']): Holder {
  if (state.status === 'Active') return state;
  const reason = state.status === 'None' ? 'was never created' : 'was erased';
  throw new ImpossibleHistory(`${type} of an account holder that ${reason}`);
}

export const foldHolder = foldOf(evolveHolder, noHolder);

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
  if (isRepeated(state, data)) return accepted([], undefined);
  if (state.status !== 'None')
    return rejected({ code: 'HolderExists', message: 'This account holder exists already.' });
  return accepted([{ type: 'HolderCreated', data }], undefined);
}

export function changeHolder(state: HolderState, data: HolderChanged): HolderDecision {
  if (isRepeated(state, data)) return accepted([], undefined);
  if (state.status !== 'Active') return rejected(holderNotFound);
  return accepted([{ type: 'HolderChanged', data }], undefined);
}

/** Comes before the token names the holder. An erased holder takes no tokens. */
export function linkToken(state: HolderState, data: TokenLinked): HolderDecision {
  if (state.status !== 'Active') return rejected(holderNotFound);
  const isLinked = state.tokenIds.includes(data.tokenId);
  return accepted(isLinked ? [] : [{ type: 'TokenLinked', data }], undefined);
}

/** From here on the holder can not be found, changed or linked. The resolver destroys the keys and removes the tokens. */
export function eraseHolder(state: HolderState, data: HolderErased): HolderDecision {
  if (isRepeated(state, data)) return accepted([], undefined);
  if (state.status !== 'Active') return rejected(holderNotFound);
  return accepted([{ type: 'HolderErased', data }], undefined);
}

/** Comes after the keys are destroyed, the external id is released and the tokens are removed. */
export function finishErasure(state: HolderState, data: { readonly at: string }): HolderDecision {
  if (state.status !== 'Erased') return rejected(holderNotFound);
  return accepted(state.erasureFinished ? [] : [{ type: 'HolderErasureFinished', data }], undefined);
}

function isRepeated(state: HolderState, { commandId }: HolderErased): boolean {
  return state.status !== 'None' && state.commandIds.includes(commandId);
}
