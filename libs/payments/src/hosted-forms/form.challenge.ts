import { EventStoreError } from '@tillstream/event-store';
import { VaultError } from '@tillstream/vault';
import { newCommandId } from '../identifiers.js';
import type { Parts } from '../parts.js';
import type { StreamEvent } from '../stream-repository/event-metadata.js';
import { askForChallenge, completeChallenge, withOpenChallenge } from '../three-ds/challenge.completion.js';
import type { FormRejection } from './form.aggregates.js';
import { formCause, type FormOfSession } from './form.lookup.js';
import { formResult, mayTakePayments, resultAfterSending } from './form.submission.js';
import type { FormCall, FormResult } from './hosted-form.types.js';

export interface ChallengeCall extends FormCall {
  /** The customer's CVV, which the form's page still has. Left out: the one that this process may have. */
  readonly cvv?: string;
}

/**
 * Goes on with the submission whose cardholder has answered the challenge. While the challenge is open, and after its end, the
 * result is the form as it is: a repeated call changes nothing.
 */
export async function completeFormChallenge<
  State,
  Event extends StreamEvent,
  Rejection extends FormRejection,
>(
  parts: Parts,
  session: FormOfSession<State, Event, Rejection>,
  { cvv, traceId }: ChallengeCall,
): Promise<FormResult> {
  const { aggregate, loaded, found, merchant } = session;
  const cause = formCause({ merchant }, newCommandId(), traceId);
  const challenged = withOpenChallenge({ merchant, loaded, operation: found.operation, cause });
  if (!challenged) return formResult(parts, session, loaded, cause);
  const result = await askForChallenge(parts, challenged);
  if (result.kind !== 'Completed') return formResult(parts, session, loaded, cause);
  if (!mayTakePayments(session)) return { kind: 'Disabled' };
  const ending = { threeDs: result.threeDs, ...(cvv !== undefined && { cvv }) };
  try {
    const sent = await completeChallenge(parts, aggregate.sender, challenged, ending);
    return await resultAfterSending(parts, session, { ...sent, number: challenged.number }, cause);
  } catch (error) {
    const { operationId } = found;
    if (error instanceof VaultError) {
      parts.log.error('card-not-kept', { operationId, reason: error.code });
      return { kind: 'CardNotStored' };
    }
    if (!(error instanceof EventStoreError)) throw error;
    parts.log.error('outcome-not-read', { operationId, reason: error.code });
    return { kind: 'Interrupted', operationId };
  }
}
