import type { Encrypted, ThreeDsFacts } from '../shared/event.shapes.js';
import type { OperationId } from '../shared/ids.js';

/** Where an attempt is sent: a processor's name, and the merchant's account there. */
export interface ProcessorAccount {
  readonly processor: string;
  readonly processorAccount: string;
}

/** Until when an attempt may be sent, and until when its sender waits. RFC 3339, real time. */
export interface SendWindow {
  readonly sendBefore: string;
  /** `sendBefore` plus the deadline. */
  readonly answerBefore: string;
}

export interface AttemptPlan extends SendWindow, ProcessorAccount {
  readonly networkTransactionId?: string;
}

/** One request to a processor, as recorded in the stream. */
export interface Attempt extends SendWindow, ProcessorAccount {
  /** From 1; the processor's key is `<operation id>.<number>`. */
  readonly number: number;
  /** The resolver sent it again, so a `NotSent` of the first sender no longer counts. */
  readonly resent: boolean;
  /** The processor took the attempt and answers later. The resolver never annuls it. */
  readonly accepted?: boolean;
  /** How the cardholder was authenticated before the attempt was sent. */
  readonly threeDs?: ThreeDsFacts;
  /** Of a challenge: what the processor gets besides the card, sealed under a key of the attempt. */
  readonly challenged?: Encrypted;
}

/** The part of an operation that the steps of an attempt use, in any aggregate. */
export interface AttemptedOperation {
  readonly id: OperationId;
  readonly progress: { readonly status: string };
  /** The last attempt that was requested; earlier ones have an outcome. */
  readonly attempt?: Attempt;
}

/** The operation's last attempt has no outcome. */
export function isWithoutOutcome(status: string): boolean {
  switch (status) {
    case 'InFlight':
    case 'ChallengeOpen':
    case 'Interrupted':
    case 'Processing':
      return true;
    default:
      return false;
  }
}

/** True if this is the operation's last attempt and it has no outcome. */
export function isOpenAttempt({ progress, attempt: last }: AttemptedOperation, number: number): boolean {
  return last?.number === number && isWithoutOutcome(progress.status);
}

/** The numbers of the operation's attempts that have an outcome. */
export function endedAttempts({
  progress,
  attempt,
}: Pick<AttemptedOperation, 'progress' | 'attempt'>): readonly number[] {
  const last = attempt?.number ?? 0;
  const ended = isWithoutOutcome(progress.status) ? last - 1 : last;
  return Array.from({ length: Math.max(0, ended) }, (_, index) => index + 1);
}

/** The attempt may have been sent, and the processor has not answered. */
export function hasUnknownOutcome({ progress }: Pick<AttemptedOperation, 'progress'>): boolean {
  return progress.status === 'InFlight' || progress.status === 'Interrupted';
}

/** The processor took the attempt and answers later: for a bank, or after a challenge. */
export function isDeferred({ progress }: Pick<AttemptedOperation, 'progress'>): boolean {
  return progress.status === 'Processing' || progress.status === 'ChallengeOpen';
}

/** The plan of an attempt that follows an earlier one: it goes to the same processor and account. */
export function attemptPlan(
  { processor, processorAccount }: ProcessorAccount,
  { sendBefore, answerBefore }: SendWindow,
): AttemptPlan {
  return { sendBefore, answerBefore, processor, processorAccount };
}
