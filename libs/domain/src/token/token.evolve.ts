import { ImpossibleHistory } from '../payment/payment.impossible.js';
import type { OperationId } from '../shared/ids.js';
import type { TokenCreated, TokenEvent, TokenRequested, TokenUpdated } from './token.events.js';
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

/**
 * The next state. What no decision could have made is impossible and throws: a check ends once, and what is removed or
 * never came to be is never there again.
 */
export function evolveToken(state: TokenState, event: TokenEvent): TokenState {
  switch (event.type) {
    case 'TokenRequested':
      return requested(state, event.data);
    case 'VerificationRequested': {
      const { try: number, sendBefore, answerBefore, processor, processorAccount, commandId } = event.data;
      return changed(pending(state, event), event.data, ({ commandIds }) => ({
        commandIds: commandIds.includes(commandId) ? commandIds : [...commandIds, commandId],
        progress: { status: 'InFlight' },
        try: { number, sendBefore, answerBefore, processor, processorAccount, resent: false },
      }));
    }
    case 'VerificationInterrupted': {
      const { cause, lostLink } = event.data;
      const progress = { status: 'Interrupted', cause, lostLink } as const;
      return changed(pending(state, event), event.data, () => ({ progress }));
    }
    case 'VerificationNotSent':
      return failed(pending(state, event), event.data, { status: 'NotSent', reason: event.data.reason });
    case 'VerificationNotExecuted':
      return failed(pending(state, event), event.data, { status: 'NotExecuted' });
    case 'VerificationCancelled': {
      const { resultCode, responseCode, hostText } = event.data;
      return failed(pending(state, event), event.data, {
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
      return failed(pending(state, event), event.data, progress, { responses, paymentMethod });
    }
    case 'TokenCreated':
      return created(pending(state, event), event.data);
    case 'TokenUpdated':
      return updated(active(state, event), event.data);
    case 'TokenRemoved': {
      const { at } = event.data;
      const next = { ...active(state, event), status: 'Removed' as const, removedAt: at, updatedAt: at };
      return begun(next, 'TokenRemove', event.data);
    }
    case 'TokenKeysDestroyed':
      if (state.status !== 'Removed' && state.status !== 'Failed')
        throw new ImpossibleHistory('the keys of a token in use are kept');
      return { ...state, keysDestroyed: true };
    default:
      return unhandled(event);
  }
}

function created(token: Token, data: TokenCreated): Token {
  const { token: paymentMethod, networkTransactionId, at } = data;
  const responses = [{ outcome: data, amountApproved: 0, resultCode: 0 }];
  const progress = { status: 'Approved', amount: 0 } as const;
  return {
    ...changed(token, data, () => ({ progress, responses, paymentMethod })),
    status: 'Active',
    paymentMethod,
    createdAt: at,
    ...(networkTransactionId !== undefined && { networkTransactionId }),
  };
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
  more: Partial<TokenOperation> = {},
): Token {
  return { ...changed(state, data, () => ({ progress, ...more })), status: 'Failed' };
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

function pending(state: TokenState, { type }: TokenEvent): Token {
  if (state.status === 'Pending') return state;
  throw new ImpossibleHistory(`${type} of a token whose check is not open`);
}

function active(state: TokenState, { type }: TokenEvent): Token {
  if (state.status === 'Active') return state;
  throw new ImpossibleHistory(`${type} of a token that is not there to be used`);
}

function unhandled(event: never): never {
  throw new ImpossibleHistory(`event type ${(event as TokenEvent).type} is not handled`);
}
