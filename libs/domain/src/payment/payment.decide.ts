import { ResponseCode } from '../shared/codes.js';
import { accepted, rejected } from '../shared/decision.js';
import { generatedReferenceId } from '../shared/ids.js';
import {
  declineWithoutProcessor,
  requestOperation,
  type FollowUpRequest,
} from './decide/operation.request.js';
import type { FollowUp, OpenPayment, PaymentDecision } from './payment.commands.js';
import type { PaymentEvent } from './payment.events.js';
import { authorizationBalance, captureBalance } from './payment.balance.js';
import {
  rejectAboveOpenAuthorization,
  rejectRefundAmount,
  explicitAmountRequired,
  findOriginal,
  isCaptured,
  isExpired,
  isFullyVoided,
  isVoidable,
  rejectNotApproved,
  rejectUndecided,
  rejectInvalidAmounts,
} from './decide/request.rules.js';
import { findByCommandId, type Operation, type Payment, type PaymentState } from './payment.state.js';

/*
 * Every rule of money for clients' commands, one function a command. A rejection changes nothing. The order of the checks
 * decides which error a client gets (docs/spec/errors.md#which-answer-wins).
 */

/** A sale, authorization or unreferenced refund opens the stream. */
export function openPayment(state: PaymentState, command: OpenPayment): PaymentDecision {
  const repeated = findByCommandId(state, command.commandId);
  if (repeated) return accepted([], repeated.id);
  if (state.status !== 'None')
    return rejected({ code: 'AlreadyOpened', message: 'This payment exists already.' });
  const invalid = rejectInvalidAmounts(command.amount, command.amountBreakdown);
  if (invalid) return rejected(invalid);

  const { kind, attemptPlan, ...request } = command;
  const data = { ...request, referenceId: command.referenceId ?? generatedReferenceId(command.operationId) };
  const events: PaymentEvent[] = [
    kind === 'Sale'
      ? { type: 'SaleRequested', data }
      : kind === 'Auth'
        ? { type: 'AuthorizationRequested', data }
        : { type: 'UnreferencedRefundRequested', data },
  ];
  if (attemptPlan) {
    const executedAs = kind === 'Auth' ? 'Authorize' : kind;
    const { at, operationId, commandId, amount } = command;
    const attempt = { at, operationId, commandId, try: 1, executedAs, amount, ...attemptPlan } as const;
    events.push({ type: 'TryRequested', data: attempt });
  }
  return accepted(events, command.operationId);
}

/** Captured + released + held ≤ authorized, at any time (`docs/spec/payments.md#limits`). */
export function capture(state: PaymentState, command: FollowUp): PaymentDecision {
  const found = findOriginal(state, command, (kind) => kind === 'Auth', 'captured');
  if ('decision' in found) return found.decision;
  const { payment, original } = found;

  const balance = authorizationBalance(payment, original);
  const undecided = rejectUndecided(payment, original, command.amount, balance);
  if (undecided) return rejected(undecided);

  const amount = command.amount ?? balance.authorized;
  const request: FollowUpRequest = { payment, command, original, kind: 'Capture', amount };
  if (isFullyVoided(payment, original)) return declineWithoutProcessor(request, ResponseCode.AlreadyVoided);
  const rejection = rejectNotApproved(original);
  if (rejection) return rejected(rejection);
  if (isExpired(original, balance.open, command.at))
    return declineWithoutProcessor(request, ResponseCode.Declined);

  if (command.amount === undefined && balance.captured + balance.released > 0) {
    return rejected(explicitAmountRequired('captured', balance.open));
  }
  const invalid =
    rejectInvalidAmounts(amount, command.amountBreakdown) ??
    rejectAboveOpenAuthorization(amount, balance.open);
  if (invalid) return rejected(invalid);
  return requestOperation(request, 'Capture');
}

/** Refunded + voided + returned + held ≤ captured. A refund is executed as a void until a batch takes the original. */
export function refund(state: PaymentState, command: FollowUp): PaymentDecision {
  const found = findOriginal(state, command, isCaptured, 'refunded');
  if ('decision' in found) return found.decision;
  const { payment, original } = found;

  const balance = captureBalance(payment, original);
  const undecided = rejectUndecided(payment, original, command.amount, balance);
  if (undecided) return rejected(undecided);

  const amount = command.amount ?? balance.captured;
  const executedAs = isVoidable(payment, original) ? 'Void' : 'Refund';
  const request: FollowUpRequest = { payment, command, original, kind: 'Refund', amount, executedAs };
  if (isFullyVoided(payment, original)) return declineWithoutProcessor(request, ResponseCode.AlreadyVoided);
  const rejection = rejectNotApproved(original) ?? rejectRefundAmount(command, amount, balance);
  if (rejection) return rejected(rejection);
  return requestOperation(request, executedAs);
}

/**
 * Voids a sale or capture in the current batch, or the open amount of an authorization (`docs/spec/payments.md#void` and
 * `docs/spec/payments.md#batches`).
 */
export function voidOperation(state: PaymentState, command: FollowUp): PaymentDecision {
  const isVoidableKind = (kind: Operation['kind']): boolean => kind === 'Auth' || isCaptured(kind);
  const found = findOriginal(state, command, isVoidableKind, 'voided');
  if ('decision' in found) return found.decision;
  const { payment, original } = found;
  return original.kind === 'Auth'
    ? voidAuthorization(payment, original, command)
    : voidCapture(payment, original, command);
}

function voidAuthorization(payment: Payment, original: Operation, command: FollowUp): PaymentDecision {
  const balance = authorizationBalance(payment, original);
  const undecided = rejectUndecided(payment, original, command.amount, balance);
  if (undecided) return rejected(undecided);

  const amount = command.amount ?? (balance.open > 0 ? balance.open : balance.authorized);
  const request: FollowUpRequest = { payment, command, original, kind: 'Void', amount };
  if (isFullyVoided(payment, original)) return declineWithoutProcessor(request, ResponseCode.AlreadyVoided);
  const rejection = rejectNotApproved(original);
  if (rejection) return rejected(rejection);
  if (balance.open + balance.held <= 0 && original.expiredAt === undefined) {
    return rejected({
      code: 'NothingLeftToVoid',
      message: 'Nothing of the authorization is left to void; void or refund its captures instead.',
    });
  }
  if (isExpired(original, balance.open, command.at))
    return declineWithoutProcessor(request, ResponseCode.Declined);
  const invalid =
    rejectInvalidAmounts(amount, command.amountBreakdown) ??
    rejectAboveOpenAuthorization(amount, balance.open);
  if (invalid) return rejected(invalid);
  return requestOperation(request, 'Void');
}

function voidCapture(payment: Payment, original: Operation, command: FollowUp): PaymentDecision {
  const balance = captureBalance(payment, original);
  const undecided = rejectUndecided(payment, original, command.amount, balance);
  if (undecided) return rejected(undecided);

  const amount = command.amount ?? balance.captured;
  const request: FollowUpRequest = { payment, command, original, kind: 'Void', amount };
  if (isFullyVoided(payment, original)) return declineWithoutProcessor(request, ResponseCode.AlreadyVoided);
  const rejection = rejectNotApproved(original);
  if (rejection) return rejected(rejection);
  if (original.batch) {
    return rejected({
      code: 'BatchClosed',
      message: 'The batch of the transaction has closed; refund it instead.',
    });
  }
  const invalid = rejectRefundAmount(command, amount, balance);
  return invalid ? rejected(invalid) : requestOperation(request, 'Void');
}
