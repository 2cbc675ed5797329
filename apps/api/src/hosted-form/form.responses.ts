import { ErrorCode, type FormProgress, type FormSession } from '@tillstream/contracts';
import { openChallengeOf, type OpenChallenge } from '@tillstream/domain';
import type { FormResult, OpenedForm } from '@tillstream/payments';
import {
  formProgress,
  formSession,
  tokenOperationResult,
  transactionResult,
  type PresentedForm,
} from '@tillstream/presentation';
import type { SubmissionOutcome } from '../card-testing/keyed.limit.js';
import { submissionOutcome } from '../card-testing/submission.limits.js';
import {
  ApiError,
  conflict,
  detailedError,
  interrupted,
  notFound,
  notKnownWhetherStored,
  notStored,
} from '../http/api.error.js';

export function sessionOf(opened: OpenedForm): FormSession {
  const { merchant, paymentMethod, allowedOrigins, authorization, now } = opened;
  return formSession({
    ...presentedForm(opened),
    merchant,
    paymentMethodType: paymentMethod.type as FormSession['paymentMethodType'],
    allowedOrigins,
    ...(authorization && { authorization }),
    now,
  });
}

/**
 * The response to a submission or cancellation.
 *
 * @param isRepeatable the call has an `Idempotency-Key`, so an earlier one may have been executed
 * @throws ApiError if the form did not take it (`docs/spec/hosted-form.md#errors-of-the-form`)
 */
export function progressOf(result: FormResult, isRepeatable: boolean): FormProgress {
  if (result.kind === 'Answered') return formProgress(presentedForm(result.opened));
  throw formError(result, isRepeatable);
}

/**
 * What a submission counts as for the limits against card testing. A bank account is stored without a bank's approval, so it
 * must not allow more declines of cards.
 */
export function outcomeOf(result: FormResult): SubmissionOutcome {
  if (result.kind !== 'Answered') return submissionOutcome(undefined);
  const progress = progressOf(result, false);
  // While a challenge is open, the newest response is that of an earlier submission.
  const outcome = submissionOutcome(progress.threeDsChallenge ? undefined : progress.responseCode);
  const isCard = result.opened.paymentMethod.type === 'Virtual';
  return outcome === 'Approved' && !isCard ? 'Other' : outcome;
}

function formError(result: Exclude<FormResult, { kind: 'Answered' }>, isRepeatable: boolean): ApiError {
  switch (result.kind) {
    case 'Unknown':
      return notFound('There is no such session.', ErrorCode.InvalidOrExpiredSession);
    case 'Spent':
      return new ApiError(400, ErrorCode.InvalidOrExpiredSession, 'The form is over.');
    case 'Expired':
      return new ApiError(400, ErrorCode.SessionExpired, 'The form has expired.');
    case 'SubmissionInFlight':
      return conflict('A submission has no outcome yet.');
    case 'Disabled':
      return new ApiError(401, ErrorCode.MerchantNotAuthorizedForResource, 'This form is disabled.');
    case 'NoProcessor':
      return new ApiError(
        400,
        ErrorCode.PaymentMethodUsageRestricted,
        'This form can not take payments now.',
      );
    case 'CardNotStored':
      return new ApiError(
        500,
        ErrorCode.ErrorWhileTokenizingCard,
        'The card or bank account could not be stored. Nothing was sent; the form is still open.',
      );
    case 'NotStored':
      return isRepeatable ? notKnownWhetherStored() : notStored();
    case 'Contended':
      return conflict('Too many operations at once; nothing was stored. Try again.');
    case 'NotSent':
      return detailedError(
        500,
        ErrorCode.UnhandledGenericError,
        'The processor could not be reached. Nothing was sent to it, and no money moved.',
        { details: result.operationId },
      );
    case 'Interrupted':
      return interrupted(
        'The outcome is not known yet. Read the session until it is over; do not submit again.',
        result,
      );
  }
}

function presentedForm({ form, subject }: OpenedForm): PresentedForm {
  const result =
    subject.kind === 'Payment'
      ? transactionResult(subject.payment, subject.operationId)
      : tokenOperationResult(subject.token, subject.operationId);
  const challenge = openChallengeIn(subject);
  return { form, result, ...(challenge && { challengeExpiresAt: challenge.expiresAt }) };
}

/** The challenge that the last attempt waits for. */
export function openChallengeIn(subject: OpenedForm['subject']): OpenChallenge | undefined {
  const { operations } = subject.kind === 'Payment' ? subject.payment : subject.token;
  const operation = operations.find(({ id }) => id === subject.operationId);
  return operation && openChallengeOf(operation);
}
