import { accepted, rejected } from '../shared/decision.js';
import {
  FIRST_SERVICE_OPERATION,
  generatedReferenceId,
  formatOperationId as formatOperationId,
  parseOperationId,
  formatTokenId,
  type OperationId,
} from '../shared/ids.js';
import type {
  RemoveToken,
  RequestToken,
  TokenDecision,
  TokenRejection,
  UpdateToken,
} from './token.commands.js';
import type { TokenEvent } from './token.events.js';
import { findTokenOperationByCommandId, type Token, type TokenState } from './token.state.js';

/*
 * Every rule on what a client asks of a stored card, one function a command (`docs/spec/payment-methods.md`). A refusal
 * changes nothing.
 */

/** Begins the check of a card with its issuer: opens the stream. */
export function requestToken(state: TokenState, command: RequestToken): TokenDecision {
  const repeated = findTokenOperationByCommandId(state, command.commandId);
  if (repeated) return accepted([], repeated.id);
  if (state.status !== 'None')
    return rejected({ code: 'AlreadyRequested', message: 'This payment method exists already.' });
  const { root, tryPlan, ...request } = command;
  const operationId = formatOperationId({ category: 'token', root, number: 0 });
  const referenceId = command.referenceId ?? generatedReferenceId(operationId);
  const events: TokenEvent[] = [
    { type: 'TokenRequested', data: { ...request, operationId, referenceId, tokenId: formatTokenId(root) } },
  ];
  if (tryPlan) {
    const { at, commandId } = command;
    const { networkTransactionId: _network, ...plan } = tryPlan;
    events.push({ type: 'VerificationRequested', data: { at, operationId, commandId, try: 1, ...plan } });
  }
  return accepted(events, operationId);
}

/** Changes what is kept beside the number. The number itself never changes: another card is another token. */
export function updateToken(state: TokenState, command: UpdateToken): TokenDecision {
  const repeated = findTokenOperationByCommandId(state, command.commandId);
  if (repeated) return accepted([], repeated.id);
  const unfit = rejectUnusable(state);
  if (unfit) return rejected(unfit);
  const token = state as Token;
  if (command.changesExpiry && isBankAccount(token)) {
    return rejected({ code: 'ExpiryOfBankAccount', message: 'A bank account has no expiry date.' });
  }
  if (token.operations.length >= FIRST_SERVICE_OPERATION) return rejected(tooManyOperations);
  const operationId = nextOperationId(token);
  const { changesExpiry: _changes, referenceId = generatedReferenceId(operationId), ...change } = command;
  return accepted([{ type: 'TokenUpdated', data: { ...change, operationId, referenceId } }], operationId);
}

/**
 * From here on it is as if it were not there; payments made with it go on. An erasure removes what is its holder's, and
 * nothing else.
 */
export function removeToken(state: TokenState, command: RemoveToken): TokenDecision {
  const repeated = findTokenOperationByCommandId(state, command.commandId);
  if (repeated) return accepted([], repeated.id);
  const unfit = rejectUnusable(state);
  if (unfit) return rejected(unfit);
  const token = state as Token;
  const { erasedHolderId } = command;
  // It went to somebody else while the erasure was on its way.
  if (erasedHolderId !== undefined && token.accountHolderId !== erasedHolderId) {
    return rejected({ code: 'TokenNotFound', message: 'This payment method is not that account holder’s.' });
  }
  // A removal is never refused for a stream that is full: its keys have to be destroyed.
  const operationId = nextOperationId(token);
  const { referenceId = generatedReferenceId(operationId), ...removal } = command;
  return accepted([{ type: 'TokenRemoved', data: { ...removal, operationId, referenceId } }], operationId);
}

/** Said once the vault destroyed the keys of a token that was removed, or that never came to be. */
export function recordKeysDestroyed(state: TokenState, { at }: { readonly at: string }): TokenDecision {
  const last = state.status === 'None' ? undefined : state.operations.at(-1);
  if (state.status === 'None' || !last || (state.status !== 'Removed' && state.status !== 'Failed')) {
    return rejected({ code: 'StepOutOfOrder', message: 'The keys of a token in use are kept.' });
  }
  if (state.keysDestroyed) return accepted([], last.id);
  return accepted([{ type: 'TokenKeysDestroyed', data: { at, operationId: last.id } }], last.id);
}

/** Why a payment, update or removal can't have it; undefined where it is there to be used. */
export function rejectUnusable(state: TokenState): TokenRejection | undefined {
  if (state.status === 'Active') return undefined;
  if (state.status === 'Pending') {
    return { code: 'TokenNotFinished', message: 'The creation of this payment method is not finished yet.' };
  }
  return { code: 'TokenNotFound', message: 'There is no such token.' };
}

export function isBankAccount({ paymentMethod, channel }: Token): boolean {
  return paymentMethod.accountNumber !== undefined || channel === 'Ach' || channel === 'Eft';
}

/** Nothing follows a removal, so there always is one: the last that clients may use is followed by a removal alone. */
function nextOperationId(token: Token): OperationId {
  const address = parseOperationId(token.operations[0]?.id ?? '');
  if (!address) throw new RangeError('the token was requested under an id that is not ours');
  return formatOperationId({ ...address, number: token.operations.length });
}

const tooManyOperations: TokenRejection = {
  code: 'TooManyOperations',
  message: 'This payment method was changed too often; store the card anew.',
};
