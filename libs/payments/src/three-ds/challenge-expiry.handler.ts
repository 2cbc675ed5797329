import type { ThreeDsFacts } from '@tillstream/domain';
import type { AttemptSender } from '../attempts/attempt.sender.js';
import type { Parts } from '../parts.js';
import type { WorkItemResult } from '../resolver/work-item.schedule.js';
import type { StreamEvent } from '../stream-repository/event-metadata.js';
import { askForChallenge, completeChallenge, type AttemptWithChallenge } from './challenge.completion.js';

/** The reason code of EMV 3-D Secure for a challenge that the cardholder did not answer in time. */
const TIMED_OUT: ThreeDsFacts = {
  status: 'Failed',
  threeDReasonId: '14',
  threeDReason: 'Transaction timed out at the ACS',
};

/**
 * Ends a challenge whose time has passed. If the cardholder answered and the form never came back, the attempt goes on;
 * a challenge without an answer fails (`docs/spec/three-d-secure.md#challenge`).
 */
export async function endChallengeInTime<State, Event extends StreamEvent, Rejection>(
  parts: Parts,
  sender: AttemptSender<State, Event, Rejection>,
  found: AttemptWithChallenge<State>,
): Promise<WorkItemResult> {
  const result = await askForChallenge(parts, found);
  if (result.kind === 'NoAnswer') return 'Again';
  const threeDs = result.kind === 'Completed' ? result.threeDs : TIMED_OUT;
  const after = await completeChallenge(parts, sender, found, { threeDs });
  const operation = sender.aggregate.find(after.state, found.operation.id);
  return operation?.progress.status === 'ChallengeOpen' ? 'Again' : 'Done';
}
