import { accepted, rejected } from '../../shared/decision.js';
import { FIRST_SERVICE_OPERATION } from '../../shared/ids.js';
import { breakdownTotal, isAmount, type Cents } from '../../shared/money.js';
import { nextOperationNumber } from './operation.request.js';
import type { FollowUp, OpenPayment, PaymentDecision } from '../payment.commands.js';
import type { PaymentRejection } from '../payment.errors.js';
import { authorizationBalance, captureBalance, operationsOn } from '../payment.balance.js';
import {
  findByCommandId,
  findOperation,
  isPending,
  movedAmount,
  type Operation,
  type Payment,
  type PaymentState,
} from '../payment.state.js';

/* Rules that several commands share. A `reject…` function returns the rejection, or undefined. */

export type OriginalLookup =
  { readonly payment: Payment; readonly original: Operation } | { readonly decision: PaymentDecision };

/**
 * The original of a follow-up; or the decision, if the command is a repetition or breaks a rule. The order of the checks:
 * repetition, amounts, original found, bank payment, type of the original, operation numbers left.
 */
export function findOriginal(
  state: PaymentState,
  command: FollowUp,
  isAllowedKind: (kind: Operation['kind']) => boolean,
  verb: 'captured' | 'refunded' | 'voided',
): OriginalLookup {
  const repeated = findByCommandId(state, command.commandId);
  if (repeated) return { decision: accepted([], repeated.id) };
  const wrong = command.amount !== undefined && rejectInvalidAmounts(command.amount, command.amountBreakdown);
  if (wrong) return { decision: rejected(wrong) };
  const original = findOperation(state, command.originalOperationId);
  if (state.status === 'None' || !original || original.kind === 'Reversal') {
    return { decision: rejected({ code: 'OriginalNotFound', message: 'There is no such transaction.' }) };
  }
  const bank = state.channel === 'Ach' || state.channel === 'Eft';
  if (bank && verb === 'voided') {
    const message = 'A bank payment cannot be voided; refund it instead.';
    return { decision: rejected({ code: 'BankPaymentNotVoidable', message }) };
  }
  if (!isAllowedKind(original.kind)) {
    const message = `A transaction of type ${original.kind} cannot be ${verb}.`;
    return { decision: rejected({ code: 'WrongOriginalType', message }) };
  }
  if (nextOperationNumber(state) >= FIRST_SERVICE_OPERATION) {
    const message = `A payment takes at most ${FIRST_SERVICE_OPERATION} operations.`;
    return { decision: rejected({ code: 'TooManyOperations', message }) };
  }
  return { payment: state, original };
}

export function rejectUndecided(
  payment: Payment,
  original: Operation,
  amount: Cents | undefined,
  { open, held }: { readonly open: Cents; readonly held: Cents },
): PaymentRejection | undefined {
  if (isPending(original)) {
    return { code: 'OriginalUndecided', message: 'The original transaction has no outcome yet.' };
  }
  // Only the reversal of its expiry can be pending, and a client can never use the amount that it releases.
  if (original.expiredAt !== undefined) return undefined;
  if (amount === undefined && operationsOn(payment, original).some(isPending)) {
    return {
      code: 'AmountUndecided',
      message: 'An operation on the original has no outcome yet: name an amount, or wait for it.',
    };
  }
  if (amount !== undefined && amount > open && amount <= open + held) {
    return {
      code: 'AmountHeld',
      message: 'Operations without an outcome hold a part of this amount.',
      details: `received ${amount}, ${allowedUpTo(open, 'now ')}, held ${held}`,
    };
  }
  return undefined;
}

export function rejectNotApproved(original: Operation): PaymentRejection | undefined {
  if (original.progress.status === 'Approved') return undefined;
  return { code: 'OriginalNotApproved', message: 'The original transaction was not approved.' };
}

export function rejectRefundAmount(
  command: FollowUp,
  amount: Cents,
  balance: { readonly captured: Cents; readonly open: Cents; readonly held: Cents },
): PaymentRejection | undefined {
  const isPartlyUsed = balance.open + balance.held < balance.captured;
  if (command.amount === undefined && isPartlyUsed) return explicitAmountRequired('given back', balance.open);
  const wrong = rejectInvalidAmounts(amount, command.amountBreakdown);
  if (wrong) return wrong;
  if (amount <= balance.open) return undefined;
  return {
    code: 'AmountAboveOpenCapture',
    message: 'The amount is above what is left of the transaction.',
    details: `received ${amount}, ${allowedUpTo(balance.open)}`,
  };
}

export function rejectAboveOpenAuthorization(amount: Cents, open: Cents): PaymentRejection | undefined {
  if (amount <= open) return undefined;
  return {
    code: 'AmountAboveOpenAuthorization',
    message: 'The amount is above what is open of the authorization.',
    details: `received ${amount}, ${allowedUpTo(open)}`,
  };
}

/** Nothing can be done with a fully voided operation (`docs/spec/payments.md#void`). */
export function isFullyVoided(payment: Payment, original: Operation): boolean {
  const moved = movedAmount(original);
  if (moved === 0) return false;
  if (original.kind === 'Auth') {
    // The reversal of an expiry releases the amount too, but such an authorization counts as expired.
    return original.expiredAt === undefined && authorizationBalance(payment, original).released >= moved;
  }
  return captureBalance(payment, original).voided >= moved;
}

/** From `expiresAt` on, even if no event says so yet. */
export function isExpired(authorization: Operation, open: Cents, at: string): boolean {
  if (authorization.expiredAt !== undefined) return true;
  return open > 0 && authorization.expiresAt !== undefined && at >= authorization.expiresAt;
}

export function isVoidable(payment: Payment, original: Operation): boolean {
  return original.batch === undefined && payment.channel !== 'Ach' && payment.channel !== 'Eft';
}

export function isCaptured(kind: Operation['kind']): boolean {
  return kind === 'Sale' || kind === 'Capture';
}

export function explicitAmountRequired(verb: string, open: Cents): PaymentRejection {
  return {
    code: 'ExplicitAmountRequired',
    message: open > 0 ? `A part was ${verb} already: name the amount.` : `All was ${verb} already.`,
    details: `amount left out, ${allowedUpTo(open)}`,
  };
}

function allowedUpTo(open: Cents, when = ''): string {
  return open > 0 ? `allowed ${when}1 to ${open}` : `allowed ${when}none: nothing is left`;
}

export function rejectInvalidAmounts(
  amount: Cents,
  breakdown: OpenPayment['amountBreakdown'],
): PaymentRejection | undefined {
  return rejectAmountOutOfRange(amount) ?? rejectInvalidBreakdown(breakdown, amount);
}

export function rejectAmountOutOfRange(amount: Cents): PaymentRejection | undefined {
  if (isAmount(amount)) return undefined;
  const details = `received ${amount}, allowed 1 to 999999999`;
  return { code: 'InvalidAmount', message: 'The amount is out of range.', details };
}

function rejectInvalidBreakdown(
  breakdown: OpenPayment['amountBreakdown'],
  amount: Cents,
): PaymentRejection | undefined {
  if (!breakdown) return undefined;
  if (Object.values(breakdown).some((part) => part !== 0 && !isAmount(part))) {
    const details = 'each part is 0 to 999999999';
    return { code: 'InvalidBreakdown', message: 'A part of the breakdown is out of range.', details };
  }
  if (breakdownTotal(breakdown) === amount) return undefined;
  const details = `the parts sum to ${breakdownTotal(breakdown)}, the amount is ${amount}`;
  return { code: 'InvalidBreakdown', message: 'The parts of the breakdown must sum to the amount.', details };
}
