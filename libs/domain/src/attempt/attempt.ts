import type { OperationId } from '../shared/ids.js';

/** Who executes an attempt: a processor's name, and the merchant's account with it. */
export interface ProcessorAccount {
  readonly processor: string;
  readonly processorAccount: string;
}

/** When an attempt may be sent, and until when its sender waits. RFC 3339, real time. */
export interface SendWindow {
  readonly sendBefore: string;
  /** `sendBefore` and the deadline. */
  readonly answerBefore: string;
}

/** Where and until when an attempt may be sent. */
export interface AttemptPlan extends SendWindow, ProcessorAccount {
  readonly networkTransactionId?: string;
}

/** An attempt to have something executed by a processor, as history has it. */
export interface Attempt extends SendWindow, ProcessorAccount {
  /** From 1; the processor's key is `<operation id>.<number>`. */
  readonly number: number;
  /** The resolver sent it again: the first sender can't take it back any more. */
  readonly resent: boolean;
  /** The processor said that it has the attempt, and answers later: it is never annulled, whatever it says then. */
  readonly accepted?: boolean;
}

/** What the steps of an attempt need of an operation, whatever its aggregate. */
export interface AttemptedOperation {
  readonly id: OperationId;
  readonly progress: { readonly status: string };
  /** The last attempt that was requested; earlier ones have an outcome. */
  readonly attempt?: Attempt;
}

/** Statuses of an operation whose last attempt has no outcome. */
const WITHOUT_OUTCOME: ReadonlySet<string> = new Set([
  'InFlight',
  'ChallengeOpen',
  'Interrupted',
  'Processing',
]);

/** This is the operation's last attempt, and it has no outcome. */
export function isOpenAttempt({ progress, attempt: last }: AttemptedOperation, number: number): boolean {
  return last?.number === number && WITHOUT_OUTCOME.has(progress.status);
}

/** The attempt was sent, or may have been, and the processor has not answered. */
export function hasUnknownOutcome({ progress }: Pick<AttemptedOperation, 'progress'>): boolean {
  return progress.status === 'InFlight' || progress.status === 'Interrupted';
}

/** The processor has it, and has said that its answer comes later: from a bank, or after a challenge. */
export function isDeferred({ progress }: Pick<AttemptedOperation, 'progress'>): boolean {
  return progress.status === 'Processing' || progress.status === 'ChallengeOpen';
}

/** The plan of an attempt that goes where an earlier one went: only that processor knows what it did. */
export function attemptPlan(
  { processor, processorAccount }: ProcessorAccount,
  window: SendWindow,
): AttemptPlan {
  const { sendBefore, answerBefore } = window;
  return { sendBefore, answerBefore, processor, processorAccount };
}
