import { accepted, type Rejected } from '../../shared/aggregate.js';
import { isBankChannel, ResponseCode } from '../../shared/codes.js';
import { FIRST_SERVICE_OPERATION } from '../../shared/ids.js';
import { breakdownTotal, isAmount, MAX_AMOUNT, MIN_AMOUNT, type Cents } from '../../shared/money.js';
import {
  authorizationBalance,
  captureBalance,
  operationsOn,
  type AuthorizationBalance,
  type CaptureBalance,
} from '../payment.balance.js';
import {
  reject,
  type FollowUp,
  type OpenPayment,
  type PaymentDecision,
  type PaymentRejection,
} from '../payment.commands.js';
import {
  findByCommandId,
  findOperation,
  isPending,
  movedAmount,
  type Operation,
  type Payment,
  type PaymentState,
} from '../payment.state.js';
import { declineWithoutProcessor, nextOperationNumber, type FollowUpRequest } from './operation.request.js';

/* Rules that several commands share. `reject…` and `decline…` return undefined if the rule allows the request. */

type Rejection = Rejected<PaymentRejection> | undefined;

/**
 * The original of a follow-up; or the decision, if the command is a repetition or breaks a rule. The order of the checks:
 * repetition, amounts, original found, bank payment, type of the original, operation numbers left.
 */
export function findOriginal(
  state: PaymentState,
  command: FollowUp,
  isAllowedKind: (kind: Operation['kind']) => boolean,
  verb: 'captured' | 'refunded' | 'voided',
): { readonly payment: Payment; readonly original: Operation } | PaymentDecision {
  const repeated = findByCommandId(state, command.commandId);
  if (repeated) return accepted([], repeated.id);
  const wrong = command.amount !== undefined && rejectInvalidAmounts(command.amount, command.amountBreakdown);
  if (wrong) return wrong;
  const original = findOperation(state, command.originalOperationId);
  if (state.status === 'None' || !original || original.kind === 'Reversal') {
    return reject('OriginalNotFound', 'There is no such transaction.');
  }
  if (isBankChannel(state.channel) && verb === 'voided') {
    const message = 'A bank payment cannot be voided; refund it instead.';
    return reject('BankPaymentNotVoidable', message);
  }
  if (!isAllowedKind(original.kind)) {
    const message = `A transaction of type ${original.kind} cannot be ${verb}.`;
    return reject('WrongOriginalType', message);
  }
  if (nextOperationNumber(state) >= FIRST_SERVICE_OPERATION) {
    const message = `A payment takes at most ${FIRST_SERVICE_OPERATION} operations.`;
    return reject('TooManyOperations', message);
  }
  return { payment: state, original };
}

export function rejectUndecided(
  { payment, original, command: { amount } }: FollowUpRequest,
  { open, held }: Pick<AuthorizationBalance, 'open' | 'held'>,
): Rejection {
  if (isPending(original)) {
    return reject('OriginalUndecided', 'The original transaction has no outcome yet.');
  }
  // Only the reversal of its expiry can be pending, and a client can never use the amount that it releases.
  if (original.expiredAt !== undefined) return undefined;
  if (amount === undefined && operationsOn(payment, original).some(isPending)) {
    const message = 'An operation on the original has no outcome yet: name an amount, or wait for it.';
    return reject('AmountUndecided', message);
  }
  if (amount !== undefined && amount > open && amount <= open + held) {
    const details = `received ${amount}, ${allowedUpTo(open, 'now ')}, held ${held}`;
    return reject('AmountHeld', 'Operations without an outcome hold a part of this amount.', details);
  }
  return undefined;
}

export function rejectNotApproved(original: Operation): Rejection {
  if (original.progress.status === 'Approved') return undefined;
  return reject('OriginalNotApproved', 'The original transaction was not approved.');
}

export function rejectRefundAmount({ command, amount }: FollowUpRequest, balance: CaptureBalance): Rejection {
  const isPartlyTaken = balance.open + balance.held < balance.captured;
  const wrong =
    (isPartlyTaken ? rejectMissingAmount(command, 'given back', balance.open) : undefined) ??
    rejectInvalidAmounts(amount, command.amountBreakdown);
  if (wrong || amount <= balance.open) return wrong;
  const details = `received ${amount}, ${allowedUpTo(balance.open)}`;
  return reject('AmountAboveOpenCapture', 'The amount is above what is left of the transaction.', details);
}

export function rejectAboveOpenAuthorization(amount: Cents, open: Cents): Rejection {
  if (amount <= open) return undefined;
  const message = 'The amount is above what is open of the authorization.';
  return reject('AmountAboveOpenAuthorization', message, `received ${amount}, ${allowedUpTo(open)}`);
}

/** Nothing can be done with a fully voided operation (`docs/spec/payments.md#void`). */
export function declineFullyVoided(request: FollowUpRequest): PaymentDecision | undefined {
  return isFullyVoided(request) ? declineWithoutProcessor(request, ResponseCode.AlreadyVoided) : undefined;
}

function isFullyVoided({ payment, original }: FollowUpRequest): boolean {
  const moved = movedAmount(original);
  if (moved === 0) return false;
  if (original.kind === 'Auth') {
    // The reversal of an expiry releases the amount too, but such an authorization counts as expired.
    return original.expiredAt === undefined && authorizationBalance(payment, original).released >= moved;
  }
  return captureBalance(payment, original).voided >= moved;
}

/** An authorization expires at `expiresAt`, even if no event says so yet. */
export function declineExpired(
  request: FollowUpRequest,
  { open }: AuthorizationBalance,
): PaymentDecision | undefined {
  const { expiredAt, expiresAt } = request.original;
  const isDue = open > 0 && expiresAt !== undefined && request.command.at >= expiresAt;
  return expiredAt !== undefined || isDue
    ? declineWithoutProcessor(request, ResponseCode.Declined)
    : undefined;
}

export function isVoidable(payment: Payment, original: Operation): boolean {
  return original.batch === undefined && !isBankChannel(payment.channel);
}

/** A request without an amount takes all of it, so the amount is required after a part was taken. */
export function rejectMissingAmount({ amount }: FollowUp, verb: string, open: Cents): Rejection {
  if (amount !== undefined) return undefined;
  const message = open > 0 ? `A part was ${verb} already: name the amount.` : `All was ${verb} already.`;
  return reject('ExplicitAmountRequired', message, `amount left out, ${allowedUpTo(open)}`);
}

function allowedUpTo(open: Cents, when = ''): string {
  return open > 0 ? `allowed ${when}1 to ${open}` : `allowed ${when}none: nothing is left`;
}

export function rejectInvalidAmounts(amount: Cents, breakdown: OpenPayment['amountBreakdown']): Rejection {
  return rejectAmountOutOfRange(amount) ?? rejectInvalidBreakdown(breakdown, amount);
}

export function rejectAmountOutOfRange(amount: Cents): Rejection {
  if (isAmount(amount)) return undefined;
  const details = `received ${amount}, allowed ${MIN_AMOUNT} to ${MAX_AMOUNT}`;
  return reject('InvalidAmount', 'The amount is out of range.', details);
}

function rejectInvalidBreakdown(breakdown: OpenPayment['amountBreakdown'], amount: Cents): Rejection {
  if (!breakdown) return undefined;
  if (Object.values(breakdown).some((part) => part !== 0 && !isAmount(part))) {
    const message = 'A part of the breakdown is out of range.';
    return reject('InvalidBreakdown', message, `each part is 0 to ${MAX_AMOUNT}`);
  }
  const total = breakdownTotal(breakdown);
  if (total === amount) return undefined;
  const message = 'The parts of the breakdown must sum to the amount.';
  return reject('InvalidBreakdown', message, `the parts sum to ${total}, the amount is ${amount}`);
}
