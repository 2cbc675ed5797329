import {
  ErrorCode,
  type TransactionResult,
  type UnknownOutcome as UnknownOutcomeShape,
  type UnknownOutcomeAnswer,
} from '@tillstream/contracts';
import { findOperation } from '@tillstream/domain';
import type { InquireResult, KnownOperation, ResolveResult, UnknownOutcome } from '@tillstream/payments';
import { tokenOperationResult, transactionResult, withoutForm } from '@tillstream/presentation';
import { ApiError, conflict, notFound } from '../../http/api.error.js';

export function unknownOutcomeShape({ proposal, ...outcome }: UnknownOutcome): UnknownOutcomeShape {
  if (!proposal) return outcome;
  const { outcome: proposed, reason, authCode, by, at } = proposal;
  return {
    ...outcome,
    proposal: {
      outcome: proposed,
      reason,
      ...(authCode !== undefined && { authCode }),
      proposedBy: by.name,
      proposedAt: at,
    },
  };
}

/**
 * The result of an inquiry or resolution.
 *
 * @throws ApiError where it did nothing
 * (`docs/spec/unknown-outcomes.md#operators`).
 */
export function unknownOutcomeResponse(result: InquireResult | ResolveResult): UnknownOutcomeAnswer {
  switch (result.kind) {
    case 'Known':
    case 'Unknown':
    case 'AwaitsConfirmation': {
      const transaction = transactionOf(result.known);
      return {
        ...unknownOutcomeShape(result.outcome),
        state: result.kind === 'AwaitsConfirmation' ? 'AwaitingConfirmation' : result.kind,
        ...(transaction && { transaction }),
      };
    }
    case 'NotFound':
      throw notFound('There is no such transaction.');
    case 'KnownAlready':
      throw unfit(`The outcome is not unknown: ${result.what}.`);
    case 'SameOperator':
      throw unfit(result.message);
    case 'NoTokenWithoutCard':
      throw unfit(
        'Only the processor can tell the card, so no operator can approve its storing; inquire, or resolve it as Declined or NotReceived.',
      );
    case 'TooEarly':
      throw conflict(`The answer may still come; the first inquiry is due at ${result.firstInquiryAt}.`);
    case 'InHand':
      throw conflict('An inquiry into it is under way. Try again.');
    case 'Contended':
      throw conflict('Too many operations at once; nothing was recorded. Try again.');
  }
}

function unfit(message: string): ApiError {
  return new ApiError(400, ErrorCode.InvalidTransactionType, message);
}

/** From the events, without the data that the vault would have to open; a reversal is not shown. */
function transactionOf(known: KnownOperation): TransactionResult | undefined {
  const { operationId } = known;
  if ('token' in known) return withoutForm(tokenOperationResult(known.token, operationId));
  const isOwn = findOperation(known.payment, operationId)?.kind === 'Reversal';
  return isOwn ? undefined : withoutForm(transactionResult(known.payment, operationId));
}
