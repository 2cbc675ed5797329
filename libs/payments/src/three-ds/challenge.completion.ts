import {
  mayBeSent,
  openChallengeOf,
  type AttemptedOperation,
  type OpenChallenge,
  type ThreeDsFacts,
} from '@tillstream/domain';
import type { ChallengeResult } from '@tillstream/processors';
import type { AttemptSender, SendResult } from '../attempts/attempt.sender.js';
import { processorKey } from '../attempts/processor-requests.js';
import type { Parts } from '../parts.js';
import type { AttemptContext } from '../resolver/operation.context.js';
import type { StreamEvent } from '../stream-repository/event-metadata.js';
import { UNAVAILABLE, type AttemptToAuthenticate } from './cardholder-authentication.js';
import { destroyChallengedCard, openChallengedCard } from './challenged.card.js';

/** An operation whose attempt waits for a challenge of the service's own 3-D Secure server. */
export interface AttemptWithChallenge<State> extends AttemptContext<State> {
  readonly challenge: OpenChallenge;
  readonly number: number;
}

/** Undefined: no such challenge is open. */
export function withOpenChallenge<State>(
  found: AttemptContext<State>,
): AttemptWithChallenge<State> | undefined {
  const challenge = openChallengeOf(found.operation);
  const number = found.operation.attempt?.number;
  if (challenge?.threeDsServer === undefined || number === undefined) return undefined;
  return { ...found, challenge, number };
}

/** Asks the 3-D Secure server that runs the challenge. No other server may take its place. */
export async function askForChallenge<State>(
  { threeDsServer, timings, log }: Pick<Parts, 'threeDsServer' | 'timings' | 'log'>,
  { operation, challenge, number }: AttemptWithChallenge<State>,
): Promise<ChallengeResult> {
  const { challengeId, threeDsServer: name } = challenge;
  if (name !== threeDsServer.name) {
    log.error('three-ds-server-not-configured', { operationId: operation.id, reason: name });
    return { kind: 'NoAnswer' };
  }
  const key = processorKey(operation.id, number);
  return threeDsServer.challengeResult({ key, challengeId, deadlineMs: timings.processorDeadline });
}

/** What a caller gives besides the history. */
export interface ChallengeEnding {
  readonly threeDs: ThreeDsFacts;
  /** Entered again by the customer. Left out: the one that this process may still have. */
  readonly cvv?: string;
}

/**
 * Ends the challenge with the server's result, and sends the attempt if the result allows it. Only the process whose append
 * ended the challenge sends. `Interrupted`: the end of the challenge, or the outcome after it, has no known result.
 * @throws VaultError: nothing was appended, and the challenge is still open
 */
export async function completeChallenge<State, Event extends StreamEvent, Rejection>(
  parts: Parts,
  sender: AttemptSender<State, Event, Rejection>,
  found: AttemptWithChallenge<State>,
  { threeDs, cvv }: ChallengeEnding,
): Promise<SendResult<State>> {
  const { merchant, loaded, operation, cause, challenge, number } = found;
  const { challengeId } = challenge;
  const operationId = operation.id;
  const { aggregate } = sender;
  const subject = aggregate.attemptSubject(loaded.state, operationId, number);
  const isAllowed = mayBeSent(threeDs) && merchant.status === 'Active';
  const secret = isAllowed
    ? await openChallengedCard(parts.vault, subject, operation.attempt?.challenged)
    : undefined;
  const attempt: AttemptToAuthenticate<State> = { merchant, loaded, operationId, number, cause };
  // Without its card, or after its merchant was disabled, the attempt can't be sent.
  const result = secret || !mayBeSent(threeDs) ? threeDs : UNAVAILABLE;
  const step = await sender.authentication.complete(attempt, { challengeId, threeDs: result });
  if (step.kind === 'Interrupted') return { kind: 'Interrupted', loaded: step.loaded };
  // The challenge is over: this process forgets the CVV, even if another process continues.
  const kept = parts.challengeCvvs.take(processorKey(operationId, number));
  if (step.kind === 'TakenOver') return { kind: 'Ended', loaded: step.loaded };
  const given = cvv ?? kept;
  let sent: SendResult<State> = { kind: 'Ended', loaded: step.loaded };
  if (step.kind === 'GoesOn' && secret?.card) {
    const card = { ...secret.card, ...(given !== undefined && { cvv: given }) };
    const { startedAt } = step;
    sent = await sender.send({
      ...{ merchant, loaded: step.loaded, operationId, cause, startedAt },
      secret: { ...secret, card },
    });
  }
  await aggregate.writeReadModels(sent.loaded, operationId);
  if (!isOpen(aggregate.find(sent.loaded.state, operationId), number)) {
    await destroyChallengedCard(parts.vault, subject);
  }
  return sent;
}

function isOpen(operation: AttemptedOperation | undefined, number: number): boolean {
  const status = operation?.progress.status;
  const isUndecided = status === 'InFlight' || status === 'Interrupted' || status === 'Processing';
  return operation?.attempt?.number === number && isUndecided;
}
