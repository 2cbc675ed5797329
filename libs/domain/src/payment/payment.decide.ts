import { accepted } from '../shared/aggregate.js';
import { generatedReferenceId } from '../shared/ids.js';
import { requestOperation, type FollowUpRequest } from './decide/operation.request.js';
import {
  declineExpired,
  declineFullyVoided,
  findOriginal,
  isVoidable,
  rejectAboveOpenAuthorization,
  rejectInvalidAmounts,
  rejectMissingAmount,
  rejectNotApproved,
  rejectRefundAmount,
  rejectUndecided,
} from './decide/request.rules.js';
import { authorizationBalance, captureBalance } from './payment.balance.js';
import { reject, type FollowUp, type OpenPayment, type PaymentDecision } from './payment.commands.js';
import type { PaymentEvent } from './payment.events.js';
import {
  findByCommandId,
  isCaptured,
  type Operation,
  type Payment,
  type PaymentState,
} from './payment.state.js';

/*
 * Every rule of money for clients' commands, one function a command. The first rule that rejects or declines decides
 * which answer a client gets (docs/spec/errors.md#which-answer-wins). A rejection changes nothing.
 */

/** A sale, authorization or unreferenced refund opens the stream. */
export function openPayment(state: PaymentState, command: OpenPayment): PaymentDecision {
  const repeated = findByCommandId(state, command.commandId);
  if (repeated) return accepted([], repeated.id);
  if (state.status !== 'None') return reject('AlreadyOpened', 'This payment exists already.');
  const invalid = rejectInvalidAmounts(command.amount, command.amountBreakdown);
  if (invalid) return invalid;

  const { kind, attemptPlan, ...request } = command;
  const data = { ...request, referenceId: command.referenceId ?? generatedReferenceId(command.operationId) };
  const events: PaymentEvent[] = [{ type: OPENING_EVENTS[kind], data }];
  if (attemptPlan) {
    const executedAs = kind === 'Auth' ? 'Authorize' : kind;
    const { at, operationId, commandId, amount } = command;
    const attempt = { at, operationId, commandId, try: 1, executedAs, amount, ...attemptPlan } as const;
    events.push({ type: 'TryRequested', data: attempt });
  }
  return accepted(events, command.operationId);
}

const OPENING_EVENTS = {
  Sale: 'SaleRequested',
  Auth: 'AuthorizationRequested',
  UnreferencedRefund: 'UnreferencedRefundRequested',
} as const;

/** Captured + released + held ≤ authorized, at any time (`docs/spec/payments.md#limits`). */
export function capture(state: PaymentState, command: FollowUp): PaymentDecision {
  const found = findOriginal(state, command, (kind) => kind === 'Auth', 'captured');
  if ('kind' in found) return found;
  const { payment, original } = found;
  const balance = authorizationBalance(payment, original);
  const amount = command.amount ?? balance.authorized;
  const request: FollowUpRequest = { payment, command, original, kind: 'Capture', amount };
  const isPartlyTaken = balance.captured + balance.released > 0;
  return (
    rejectUndecided(request, balance) ??
    declineFullyVoided(request) ??
    rejectNotApproved(original) ??
    declineExpired(request, balance) ??
    (isPartlyTaken ? rejectMissingAmount(command, 'captured', balance.open) : undefined) ??
    rejectInvalidAmounts(amount, command.amountBreakdown) ??
    rejectAboveOpenAuthorization(amount, balance.open) ??
    requestOperation(request, 'Capture')
  );
}

/** Refunded + voided + returned + held ≤ captured. A refund is executed as a void until a batch takes the original. */
export function refund(state: PaymentState, command: FollowUp): PaymentDecision {
  const found = findOriginal(state, command, isCaptured, 'refunded');
  if ('kind' in found) return found;
  const { payment, original } = found;
  const balance = captureBalance(payment, original);
  const amount = command.amount ?? balance.captured;
  const executedAs = isVoidable(payment, original) ? 'Void' : 'Refund';
  const request: FollowUpRequest = { payment, command, original, kind: 'Refund', amount, executedAs };
  return (
    rejectUndecided(request, balance) ??
    declineFullyVoided(request) ??
    rejectNotApproved(original) ??
    rejectRefundAmount(request, balance) ??
    requestOperation(request, executedAs)
  );
}

/**
 * Voids a sale or capture in the current batch, or the open amount of an authorization (`docs/spec/payments.md#void` and
 * `docs/spec/payments.md#batches`).
 */
export function voidOperation(state: PaymentState, command: FollowUp): PaymentDecision {
  const isVoidableKind = (kind: Operation['kind']): boolean => kind === 'Auth' || isCaptured(kind);
  const found = findOriginal(state, command, isVoidableKind, 'voided');
  if ('kind' in found) return found;
  const { payment, original } = found;
  return original.kind === 'Auth'
    ? voidAuthorization(payment, original, command)
    : voidCapture(payment, original, command);
}

function voidAuthorization(payment: Payment, original: Operation, command: FollowUp): PaymentDecision {
  const balance = authorizationBalance(payment, original);
  const amount = command.amount ?? (balance.open > 0 ? balance.open : balance.authorized);
  const request: FollowUpRequest = { payment, command, original, kind: 'Void', amount };
  const isUsedUp = balance.open + balance.held <= 0 && original.expiredAt === undefined;
  const usedUp = 'Nothing of the authorization is left to void; void or refund its captures instead.';
  return (
    rejectUndecided(request, balance) ??
    declineFullyVoided(request) ??
    rejectNotApproved(original) ??
    (isUsedUp ? reject('NothingLeftToVoid', usedUp) : undefined) ??
    declineExpired(request, balance) ??
    rejectInvalidAmounts(amount, command.amountBreakdown) ??
    rejectAboveOpenAuthorization(amount, balance.open) ??
    requestOperation(request, 'Void')
  );
}

function voidCapture(payment: Payment, original: Operation, command: FollowUp): PaymentDecision {
  const balance = captureBalance(payment, original);
  const amount = command.amount ?? balance.captured;
  const request: FollowUpRequest = { payment, command, original, kind: 'Void', amount };
  const batched = 'The batch of the transaction has closed; refund it instead.';
  return (
    rejectUndecided(request, balance) ??
    declineFullyVoided(request) ??
    rejectNotApproved(original) ??
    (original.batch ? reject('BatchClosed', batched) : undefined) ??
    rejectRefundAmount(request, balance) ??
    requestOperation(request, 'Void')
  );
}
