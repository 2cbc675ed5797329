import { foldOf } from '../shared/fold.js';
import { ImpossibleHistory, unhandledEvent } from '../shared/impossible-history.js';
import type { OperationId } from '../shared/ids.js';
import type { TokenCreated, TokenEvent, TokenRequested, TokenUpdated } from './token.events.js';
import {
  noToken,
  type Token,
  type TokenOperation,
  type TokenOperationKind,
  type TokenState,
} from './token.state.js';

export const foldToken = foldOf<TokenState, TokenEvent>(evolveToken, noToken);

/** The next state. @throws ImpossibleHistory if no decision could have made this history */
export function evolveToken(state: TokenState, event: TokenEvent): TokenState {
  switch (event.type) {
    case 'TokenRequested':
      return newToken(state, event.data);
    case 'VerificationRequested': {
      const { try: number, sendBefore, answerBefore, processor, processorAccount, commandId } = event.data;
      return updateOperation(requirePending(state, event), event.data, ({ commandIds }) => ({
        commandIds: commandIds.includes(commandId) ? commandIds : [...commandIds, commandId],
        progress: { status: 'InFlight' },
        attempt: { number, sendBefore, answerBefore, processor, processorAccount, resent: false },
      }));
    }
    case 'VerificationInterrupted': {
      const { cause, lostLink } = event.data;
      const progress = { status: 'Interrupted', cause, lostLink } as const;
      return updateOperation(requirePending(state, event), event.data, () => ({ progress }));
    }
    case 'VerificationNotSent':
      return failToken(requirePending(state, event), event.data, {
        status: 'NotSent',
        reason: event.data.reason,
      });
    case 'VerificationNotExecuted':
      return failToken(requirePending(state, event), event.data, { status: 'NotExecuted' });
    case 'VerificationCancelled': {
      const { resultCode, responseCode, hostText } = event.data;
      return failToken(requirePending(state, event), event.data, {
        status: 'Cancelled',
        resultCode,
        ...(responseCode !== undefined && { responseCode }),
        ...(hostText !== undefined && { hostText }),
      });
    }
    case 'VerificationDeclined': {
      const { resultCode, paymentMethod } = event.data;
      const responses = [{ outcome: event.data, amountApproved: 0, resultCode }];
      const progress = { status: 'Declined', resultCode } as const;
      return failToken(requirePending(state, event), event.data, progress, { responses, paymentMethod });
    }
    case 'TokenCreated':
      return activateToken(requirePending(state, event), event.data);
    case 'TokenUpdated':
      return applyUpdate(requireActive(state, event), event.data);
    case 'TokenRemoved': {
      const { at } = event.data;
      const next = {
        ...requireActive(state, event),
        status: 'Removed' as const,
        removedAt: at,
        updatedAt: at,
      };
      return addOperation(next, newOperation(next, 'TokenRemove', event.data));
    }
    case 'TokenKeysDestroyed':
      if (state.status !== 'Removed' && state.status !== 'Failed')
        throw new ImpossibleHistory('the keys of a token in use are kept');
      return { ...state, keysDestroyed: true };
    default:
      return unhandledEvent(event);
  }
}

function activateToken(token: Token, data: TokenCreated): Token {
  const { token: paymentMethod, networkTransactionId, at } = data;
  const responses = [{ outcome: data, amountApproved: 0, resultCode: 0 }];
  const progress = { status: 'Approved', amount: 0 } as const;
  return {
    ...updateOperation(token, data, () => ({ progress, responses, paymentMethod })),
    status: 'Active',
    paymentMethod,
    createdAt: at,
    ...(networkTransactionId !== undefined && { networkTransactionId }),
  };
}

function newToken(state: TokenState, data: TokenRequested): Token {
  if (state.status !== 'None') throw new ImpossibleHistory('a token is requested once');
  const { tokenId, merchantId, currency, channel, paymentMethod, at } = data;
  const { terminalId, form, description, accountHolderId } = data;
  const token: Token = {
    status: 'Pending',
    id: tokenId,
    merchantId,
    currency,
    channel,
    ...(terminalId !== undefined && { terminalId }),
    ...(form && { form }),
    paymentMethod,
    ...(description !== undefined && { description }),
    ...(accountHolderId !== undefined && { accountHolderId }),
    operations: [],
    createdAt: at,
    updatedAt: at,
    keysDestroyed: false,
  };
  return addOperation(token, {
    ...newOperation(token, 'TokenCreate', data),
    progress: { status: 'AwaitingCustomer' },
  });
}

function applyUpdate(state: Token, data: TokenUpdated): Token {
  const { description, accountHolderId, personal, at } = data;
  const next: Token = {
    ...state,
    paymentMethod: {
      ...state.paymentMethod,
      ...(description !== undefined && { description }),
      ...(personal && { personal }),
    },
    ...(description !== undefined && { description }),
    ...(accountHolderId !== undefined && { accountHolderId }),
    updatedAt: at,
  };
  return addOperation(next, newOperation(next, 'TokenUpdate', data));
}

type OperationRequest = Pick<TokenUpdated, 'operationId' | 'commandId' | 'referenceId' | 'at'>;

/** Complete with its request, as updates and removals are. */
function newOperation(token: Token, kind: TokenOperationKind, data: OperationRequest): TokenOperation {
  const { operationId, commandId, referenceId, at } = data;
  return {
    id: operationId,
    kind,
    commandIds: [commandId],
    referenceId,
    createdAt: at,
    updatedAt: at,
    progress: { status: 'Approved', amount: 0 },
    responses: [],
    paymentMethod: token.paymentMethod,
    ...(token.accountHolderId !== undefined && { accountHolderId: token.accountHolderId }),
  };
}

function addOperation(token: Token, operation: TokenOperation): Token {
  if (token.operations.some(({ id }) => id === operation.id))
    throw new ImpossibleHistory(`operation ${operation.id} exists`);
  return { ...token, operations: [...token.operations, operation] };
}

function failToken(
  state: Token,
  data: { readonly operationId: OperationId; readonly at: string },
  progress: TokenOperation['progress'],
  more: Partial<TokenOperation> = {},
): Token {
  return { ...updateOperation(state, data, () => ({ progress, ...more })), status: 'Failed' };
}

function updateOperation(
  state: Token,
  { operationId, at }: { readonly operationId: OperationId; readonly at: string },
  change: (operation: TokenOperation) => Partial<TokenOperation>,
): Token {
  if (!state.operations.some(({ id }) => id === operationId))
    throw new ImpossibleHistory(`operation ${operationId} was never requested`);
  const operations = state.operations.map((operation) =>
    operation.id === operationId ? { ...operation, updatedAt: at, ...change(operation) } : operation,
  );
  return { ...state, operations, updatedAt: at };
}

function requirePending(state: TokenState, { type }: TokenEvent): Token {
  if (state.status === 'Pending') return state;
  throw new ImpossibleHistory(`${type} of a token whose verification has ended`);
}

function requireActive(state: TokenState, { type }: TokenEvent): Token {
  if (state.status === 'Active') return state;
  throw new ImpossibleHistory(`${type} of a token that is not active`);
}
