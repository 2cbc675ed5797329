import { formSteps } from '../hosted-form/index.js';
import { accepted, rejected } from '../shared/aggregate.js';
import { isBankChannel } from '../shared/codes.js';
import {
  FIRST_SERVICE_OPERATION,
  formatOperationId,
  formatTokenId,
  generatedReferenceId,
  parseOperationId,
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
import {
  findTokenOperation,
  findTokenOperationByCommandId,
  type Token,
  type TokenOperation,
  type TokenState,
} from './token.state.js';

/*
 * Every rule for clients' commands on a stored card, one function a command (`docs/spec/payment-methods.md`). A rejection
 * changes nothing.
 */

/** Opens the stream and, without a form, requests the card verification. */
export function requestToken(state: TokenState, command: RequestToken): TokenDecision {
  const repeated = findTokenOperationByCommandId(state, command.commandId);
  if (repeated) return accepted([], repeated.id);
  if (state.status !== 'None') return reject('AlreadyRequested', 'This payment method exists already.');
  const { root, attemptPlan, ...request } = command;
  const operationId = formatOperationId({ category: 'token', root, number: 0 });
  const referenceId = command.referenceId ?? generatedReferenceId(operationId);
  const data = { ...request, operationId, referenceId, tokenId: formatTokenId(root) };
  const events: TokenEvent[] = [{ type: 'TokenRequested', data }];
  if (attemptPlan) {
    const { at, commandId } = command;
    const { networkTransactionId: _network, ...plan } = attemptPlan;
    events.push({ type: 'VerificationRequested', data: { at, operationId, commandId, try: 1, ...plan } });
  }
  return accepted(events, operationId);
}

/** The form that takes a card to store. */
export const {
  submitForm: submitTokenForm,
  cancelForm: cancelTokenForm,
  expireForm: expireTokenForm,
} = formSteps<TokenState, TokenOperation, TokenEvent, TokenRejection>({
  find(state, operationId) {
    const operation = findTokenOperation(state, operationId);
    return state.status !== 'None' && operation?.kind === 'TokenCreate' && state.form
      ? { operation, form: state.form }
      : undefined;
  },
  findRepeated: (state, commandId) => findTokenOperationByCommandId(state, commandId)?.id,
  consentGiven: (data) => ({ type: 'StorageConsentGiven', data }),
  attemptRequested(_operation, { attemptPlan, ...command }) {
    const { networkTransactionId: _network, ...plan } = attemptPlan;
    return { type: 'VerificationRequested', data: { ...command, ...plan } };
  },
  cancelled: (data) => ({ type: 'VerificationCancelled', data }),
  expired: (data) => ({ type: 'VerificationFormExpired', data }),
  declined: (data) => ({ type: 'VerificationDeclined', data }),
  rejection: (code, message) => ({ code, message }),
});

/** Changes the data beside the card number. The number never changes: another card is another token. */
export function updateToken(state: TokenState, command: UpdateToken): TokenDecision {
  const repeated = findTokenOperationByCommandId(state, command.commandId);
  if (repeated) return accepted([], repeated.id);
  const unusable = rejectUnusable(state);
  if (unusable) return rejected(unusable);
  const token = state as Token;
  if (command.changesExpiry && isBankAccount(token)) {
    return reject('ExpiryOfBankAccount', 'A bank account has no expiry date.');
  }
  if (token.operations.length >= FIRST_SERVICE_OPERATION) {
    return reject('TooManyOperations', 'This payment method was changed too often; store the card anew.');
  }
  const operationId = nextOperationId(token);
  const { changesExpiry: _changes, referenceId = generatedReferenceId(operationId), ...change } = command;
  return accepted([{ type: 'TokenUpdated', data: { ...change, operationId, referenceId } }], operationId);
}

/**
 * From here on the token is not found; payments that were made with it go on. An erasure removes only tokens of its
 * account holder.
 */
export function removeToken(state: TokenState, command: RemoveToken): TokenDecision {
  const repeated = findTokenOperationByCommandId(state, command.commandId);
  if (repeated) return accepted([], repeated.id);
  const unusable = rejectUnusable(state);
  if (unusable) return rejected(unusable);
  const token = state as Token;
  const { erasedHolderId } = command;
  // An update gave the token to another holder after the erasure started.
  if (erasedHolderId !== undefined && token.accountHolderId !== erasedHolderId) {
    return reject('TokenNotFound', 'This payment method is not that account holder’s.');
  }
  // A full stream does not reject a removal, since the keys have to be destroyed.
  const operationId = nextOperationId(token);
  const { referenceId = generatedReferenceId(operationId), ...removal } = command;
  return accepted([{ type: 'TokenRemoved', data: { ...removal, operationId, referenceId } }], operationId);
}

/** Comes after the vault destroyed the keys of a removed or failed token. */
export function recordKeysDestroyed(state: TokenState, { at }: { readonly at: string }): TokenDecision {
  const last = state.status === 'None' ? undefined : state.operations.at(-1);
  if (state.status === 'None' || !last || (state.status !== 'Removed' && state.status !== 'Failed')) {
    return reject('StepOutOfOrder', 'The keys of a token in use are kept.');
  }
  if (state.keysDestroyed) return accepted([], last.id);
  return accepted([{ type: 'TokenKeysDestroyed', data: { at, operationId: last.id } }], last.id);
}

/** The rejection of a payment, update or removal; undefined if the token can be used. */
export function rejectUnusable(state: TokenState): TokenRejection | undefined {
  if (state.status === 'Active') return undefined;
  if (state.status === 'Pending') {
    return { code: 'TokenNotFinished', message: 'The creation of this payment method is not finished yet.' };
  }
  return { code: 'TokenNotFound', message: 'There is no such token.' };
}

export function isBankAccount({ paymentMethod, channel }: Token): boolean {
  return paymentMethod.accountNumber !== undefined || isBankChannel(channel);
}

/** A number is always left: after the last one for clients only a removal may follow, and nothing follows a removal. */
function nextOperationId(token: Token): OperationId {
  const address = parseOperationId(token.operations[0]?.id ?? '');
  if (!address) throw new RangeError('the first operation of the token has an invalid id');
  return formatOperationId({ ...address, number: token.operations.length });
}

function reject(code: TokenRejection['code'], message: string): TokenDecision {
  return rejected({ code, message });
}
