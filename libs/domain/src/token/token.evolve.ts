import { ImpossibleHistory } from '../payment/payment.impossible.js';
import type { OperationId } from '../shared/ids.js';
import type { TokenEvent, TokenRequested, TokenUpdated } from './token.events.js';
import {
  noToken,
  type Token,
  type TokenOperation,
  type TokenOperationKind,
  type TokenState,
} from './token.state.js';

export function foldToken(events: Iterable<TokenEvent>, from: TokenState = noToken): TokenState {
  let state = from;
  for (const event of events) state = evolveToken(state, event);
  return state;
}

/** The next state. A request that no decision could have made is impossible and throws; outcomes are always taken. */
export function evolveToken(state: TokenState, event: TokenEvent): TokenState {
  if (event.type === 'TokenRequested') return requested(state, event.data);
  if (state.status === 'None')
    throw new ImpossibleHistory(`${event.type} of a token that was never requested`);
  const { data } = event;
  switch (event.type) {
    case 'VerificationRequested': {
      const { try: number, sendBefore, answerBefore, commandId } = event.data;
      return changed(state, data, ({ commandIds }) => ({
        commandIds: commandIds.includes(commandId) ? commandIds : [...commandIds, commandId],
        progress: { status: 'InFlight' },
        try: { number, sendBefore, answerBefore },
      }));
    }
    case 'VerificationInterrupted': {
      const { cause, lostLink } = event.data;
      return changed(state, data, () => ({ progress: { status: 'Interrupted', cause, lostLink } }));
    }
    case 'VerificationNotSent':
      return failed(state, data, { status: 'NotSent', reason: event.data.reason });
    case 'VerificationNotExecuted':
      return failed(state, data, { status: 'NotExecuted' });
    case 'VerificationCancelled': {
      const { resultCode, responseCode, hostText } = event.data;
      return failed(state, data, {
        status: 'Cancelled',
        resultCode,
        ...(responseCode !== undefined && { responseCode }),
        ...(hostText !== undefined && { hostText }),
      });
    }
    case 'VerificationDeclined': {
      const { resultCode } = event.data;
      const response = { outcome: event.data, amountApproved: 0, resultCode };
      const next = failed(state, data, { status: 'Declined', resultCode });
      return changed(next, data, () => ({ responses: [response], paymentMethod: event.data.paymentMethod }));
    }
    case 'TokenCreated': {
      const { token: paymentMethod, networkTransactionId, at } = event.data;
      const response = { outcome: event.data, amountApproved: 0, resultCode: 0 };
      const next = changed(state, data, () => ({
        progress: { status: 'Approved', amount: 0 },
        responses: [response],
        paymentMethod,
      }));
      return {
        ...next,
        status: 'Active',
        paymentMethod,
        createdAt: at,
        ...(networkTransactionId !== undefined && { networkTransactionId }),
      };
    }
    case 'TokenUpdated':
      return updated(state, event.data);
    case 'TokenRemoved': {
      const { at } = event.data;
      const next = { ...state, status: 'Removed' as const, removedAt: at, updatedAt: at };
      return begun(next, 'TokenRemove', event.data);
    }
    case 'TokenKeysDestroyed':
      return { ...state, keysDestroyed: true };
  }
}

function requested(state: TokenState, data: TokenRequested): Token {
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
  return withOperation(token, {
    ...newOperation(token, 'TokenCreate', data),
    progress: { status: 'AwaitingCustomer' },
  });
}

function updated(state: Token, data: TokenUpdated): Token {
  if (state.status !== 'Active') throw new ImpossibleHistory('only a token that exists can be updated');
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
  return begun(next, 'TokenUpdate', data);
}

type Requested = Pick<TokenUpdated, 'operationId' | 'commandId' | 'referenceId' | 'at'>;

/** An operation that is over with its request. */
function begun(token: Token, kind: TokenOperationKind, data: Requested): Token {
  return withOperation(token, newOperation(token, kind, data));
}

function newOperation(token: Token, kind: TokenOperationKind, data: Requested): TokenOperation {
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

function withOperation(token: Token, operation: TokenOperation): Token {
  if (token.operations.some(({ id }) => id === operation.id))
    throw new ImpossibleHistory(`operation ${operation.id} exists`);
  return { ...token, operations: [...token.operations, operation] };
}

function failed(
  state: Token,
  data: { readonly operationId: OperationId; readonly at: string },
  progress: TokenOperation['progress'],
): Token {
  return { ...changed(state, data, () => ({ progress })), status: 'Failed' };
}

function changed(
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
