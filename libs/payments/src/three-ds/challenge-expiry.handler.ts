import { mayBeSent, type ThreeDsFacts } from '@tillstream/domain';
import type { AttemptSender } from '../attempts/attempt.sender.js';
import type { ChallengeResult } from '@tillstream/processors';
import type { Parts } from '../parts.js';
import type { WorkItemResult } from '../resolver/work-item.schedule.js';
import type { StreamEvent } from '../stream-repository/event-metadata.js';
import { UNAVAILABLE } from './cardholder-authentication.js';
import { askForChallenge, completeChallenge, type AttemptWithChallenge } from './challenge.completion.js';

/** The reason code of EMV 3-D Secure for a challenge that the cardholder did not answer in time. */
const TIMED_OUT: ThreeDsFacts = {
  status: 'Failed',
  threeDReasonId: '14',
  threeDReason: 'Transaction timed out at the ACS',
};

/** From the end of a challenge's time, by the service's clock. */
const RESULT_WITHIN_MS = 3_600_000;

/**
 * Ends a challenge whose time has passed. If the cardholder answered and the form never came back, the attempt goes on;
 * a challenge without an answer fails. If there is no result within an hour, or the card can't be read until then, the
 * attempt ends as `Unavailable` and is never sent: the customer no longer expects a charge
 * (`docs/spec/three-d-secure.md#challenge`).
 */
export async function endChallengeInTime<State, Event extends StreamEvent, Rejection>(
  parts: Parts,
  sender: AttemptSender<State, Event, Rejection>,
  found: AttemptWithChallenge<State>,
): Promise<WorkItemResult> {
  const result = await askForChallenge(parts, found);
  const isLate = parts.clock.now() >= Date.parse(found.challenge.expiresAt) + RESULT_WITHIN_MS;
  if (result.kind === 'NoAnswer' && !isLate) return 'Again';
  const facts = factsOf(result);
  const threeDs = isLate && mayBeSent(facts) ? UNAVAILABLE : facts;
  const ended = await completeChallenge(parts, sender, found, { threeDs });
  const operation = sender.aggregate.find(ended.loaded.state, found.operation.id);
  return operation?.progress.status === 'ChallengeOpen' ? 'Again' : 'Done';
}

function factsOf(result: ChallengeResult): ThreeDsFacts {
  switch (result.kind) {
    case 'Completed':
      return result.threeDs;
    case 'NoAnswer':
      return UNAVAILABLE;
    case 'Open':
    case 'Unknown':
      return TIMED_OUT;
  }
}
