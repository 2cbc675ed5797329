import { evolveBy, foldOf, ImpossibleHistory } from '../shared/aggregate.js';
import type { RecordedResponse } from '../payment/payment.state.js';
import type { OperationEventData } from '../shared/event.shapes.js';
import { pick } from '../shared/pick.js';
import type { TokenEvent, TokenEvents, TokenRequested, TokenUpdated } from './token.events.js';
import {
  noToken,
  type Token,
  type TokenOperation,
  type TokenOperationKind,
  type TokenState,
  type VerificationAttempt,
} from './token.state.js';

export const evolveToken = evolveBy<TokenState, TokenEvent>({
  TokenRequested: newToken,
  // The proof stays in the event: no rule depends on it.
  StorageConsentGiven: (state, data, type) => updateOperation(requirePending(state, type), data, () => ({})),
  VerificationRequested: (state, data, type) => {
    const { try: number, commandId } = data;
    const plan = pick(data, 'sendBefore', 'answerBefore', 'processor', 'processorAccount');
    return updateOperation(requirePending(state, type), data, ({ commandIds }) => ({
      commandIds: commandIds.includes(commandId) ? commandIds : [...commandIds, commandId],
      progress: { status: 'InFlight' },
      attempt: { number, ...plan, ...pick(data, 'personal'), resent: false },
    }));
  },
  VerificationInterrupted: (state, data, type) => {
    const { cause, lostLink } = data;
    const progress = { status: 'Interrupted', cause, lostLink } as const;
    return updateOperation(requirePending(state, type), data, () => ({ progress }));
  },
  VerificationThreeDsCompleted: (state, data, type) => {
    const { threeDs, resumes } = data;
    return updateAttempt(requirePending(state, type), data, (attempt) => ({
      ...attempt,
      ...resumes,
      threeDs,
    }));
  },
  VerificationChallengeOpened: (state, data, type) => {
    const challenge = pick(data, 'challengeId', 'redirectUrl', 'expiresAt', 'threeDsServer');
    const progress = { status: 'ChallengeOpen', ...challenge } as const;
    const next = updateOperation(requirePending(state, type), data, () => ({ progress }));
    const { personal: challenged } = data;
    return updateAttempt(next, data, (attempt) => ({ ...attempt, ...(challenged && { challenged }) }));
  },
  VerificationChallengeEnded: (state, data, type) => {
    const { threeDs, resumes } = data;
    const progress = { status: 'InFlight' } as const;
    const next = updateOperation(requirePending(state, type), data, () => ({ progress }));
    return updateAttempt(next, data, (attempt) => ({ ...attempt, threeDs, ...resumes }));
  },
  VerificationFailed: (state, data, type) =>
    updateOperation(requirePending(state, type), data, ({ responses }) => ({
      progress: { status: 'AwaitingCustomer' },
      responses: [declinedResponse(data), ...responses],
    })),
  VerificationNotSent: (state, data, type) =>
    failToken(requirePending(state, type), data, () => ({
      progress: { status: 'NotSent', reason: data.reason },
    })),
  VerificationNotExecuted: (state, data, type) =>
    failToken(requirePending(state, type), data, () => ({ progress: { status: 'NotExecuted' } })),
  VerificationFormExpired: (state, data, type) =>
    failToken(requirePending(state, type), data, () => ({ progress: { status: 'FormExpired' } })),
  VerificationCancelled: (state, data, type) => {
    const progress = {
      status: 'Cancelled',
      ...pick(data, 'resultCode', 'responseCode', 'hostText'),
    } as const;
    return failToken(requirePending(state, type), data, () => ({ progress }));
  },
  VerificationDeclined: (state, data, type) => {
    const { resultCode, paymentMethod } = data;
    const progress = { status: 'Declined', resultCode } as const;
    return failToken(requirePending(state, type), data, ({ responses }) => ({
      progress,
      // A form that ends after a failed attempt repeats its response.
      responses: [declinedResponse(data), ...responses.filter(({ outcome }) => outcome.try !== data.try)],
      paymentMethod,
    }));
  },
  TokenCreated: (state, data, type) => activateToken(requirePending(state, type), data),
  TokenUpdated: (state, data, type) => applyUpdate(requireActive(state, type), data),
  TokenRemoved: (state, data, type) => {
    const times = { removedAt: data.at, updatedAt: data.at };
    const next: Token = { ...requireActive(state, type), status: 'Removed', ...times };
    return addOperation(next, newOperation(next, 'TokenRemove', data));
  },
  TokenKeysDestroyed: (state) => {
    if (state.status !== 'Removed' && state.status !== 'Failed')
      throw new ImpossibleHistory('the keys of a token in use are kept');
    return { ...state, keysDestroyed: true };
  },
});

export const foldToken = foldOf(evolveToken, noToken);

function newToken(state: TokenState, data: TokenRequested): Token {
  if (state.status !== 'None') throw new ImpossibleHistory('a token is requested once');
  const token: Token = {
    status: 'Pending',
    id: data.tokenId,
    ...pick(data, 'merchantId', 'currency', 'channel', 'terminalId', 'form', 'paymentMethod'),
    ...pick(data, 'description', 'accountHolderId'),
    operations: [],
    createdAt: data.at,
    updatedAt: data.at,
    keysDestroyed: false,
  };
  const operation = newOperation(token, 'TokenCreate', data);
  return addOperation(token, { ...operation, progress: { status: 'AwaitingCustomer' } });
}

function activateToken(token: Token, data: TokenEvents['TokenCreated']): Token {
  const { token: paymentMethod, at: createdAt } = data;
  const response = { outcome: data, amountApproved: 0, resultCode: 0 };
  const progress = { status: 'Approved', amount: 0 } as const;
  const update = updateOperation(token, data, ({ responses }) => ({
    progress,
    responses: [response, ...responses],
    paymentMethod,
  }));
  return {
    ...update,
    ...pick(data, 'networkTransactionId'),
    status: 'Active',
    paymentMethod,
    createdAt,
  };
}

function applyUpdate(token: Token, data: TokenUpdated): Token {
  const next: Token = {
    ...token,
    ...pick(data, 'description', 'accountHolderId'),
    paymentMethod: { ...token.paymentMethod, ...pick(data, 'description', 'personal') },
    updatedAt: data.at,
  };
  return addOperation(next, newOperation(next, 'TokenUpdate', data));
}

/** Complete with its request, as updates and removals are. */
function newOperation(
  token: Token,
  kind: TokenOperationKind,
  data: Pick<TokenUpdated, 'operationId' | 'commandId' | 'referenceId' | 'at'>,
): TokenOperation {
  return {
    id: data.operationId,
    kind,
    commandIds: [data.commandId],
    referenceId: data.referenceId,
    createdAt: data.at,
    updatedAt: data.at,
    progress: { status: 'Approved', amount: 0 },
    responses: [],
    ...pick(token, 'paymentMethod', 'accountHolderId'),
  };
}

function addOperation(token: Token, operation: TokenOperation): Token {
  if (token.operations.some(({ id }) => id === operation.id))
    throw new ImpossibleHistory(`operation ${operation.id} exists`);
  return { ...token, operations: [...token.operations, operation] };
}

function failToken(
  token: Token,
  data: OperationEventData,
  change: (operation: TokenOperation) => Partial<TokenOperation>,
): Token {
  return { ...updateOperation(token, data, change), status: 'Failed' };
}

function declinedResponse(data: TokenEvents['VerificationFailed']): RecordedResponse {
  return { outcome: data, amountApproved: 0, resultCode: data.resultCode };
}

function updateOperation(
  token: Token,
  { operationId, at }: OperationEventData,
  change: (operation: TokenOperation) => Partial<TokenOperation>,
): Token {
  if (!token.operations.some(({ id }) => id === operationId))
    throw new ImpossibleHistory(`operation ${operationId} was never requested`);
  const operations = token.operations.map((operation) =>
    operation.id === operationId ? { ...operation, updatedAt: at, ...change(operation) } : operation,
  );
  return { ...token, operations, updatedAt: at };
}

function updateAttempt(
  token: Token,
  data: OperationEventData,
  change: (attempt: VerificationAttempt) => VerificationAttempt,
): Token {
  return updateOperation(token, data, ({ attempt }) => (attempt ? { attempt: change(attempt) } : {}));
}

function requirePending(state: TokenState, type: TokenEvent['type']): Token {
  if (state.status === 'Pending') return state;
  throw new ImpossibleHistory(`${type} of a token whose verification has ended`);
}

function requireActive(state: TokenState, type: TokenEvent['type']): Token {
  if (state.status === 'Active') return state;
  throw new ImpossibleHistory(`${type} of a token that is not active`);
}
