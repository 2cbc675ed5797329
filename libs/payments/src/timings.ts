/** Durations in ms, each configurable (`docs/spec/unknown-outcomes.md#timing`). */
export interface Timings {
  /** The send window: from the start of a request to `sendBefore`. */
  readonly sendWithin: number;
  readonly processorDeadline: number;
  readonly terminalDeadline: number;
  /** From `sendBefore` + deadline to the first inquiry. */
  readonly margin: number;
  /** From a bank's acceptance to the first inquiry into its decision, by the service's clock. A notice usually comes sooner. */
  readonly bankAnswerWithin: number;
  readonly authorizationLifetime: number;
  /** Of a hosted form, by the service's clock. */
  readonly formLifetime: number;
  /** How long a cardholder may take for a 3-D Secure challenge, by the service's clock. */
  readonly challengeLifetime: number;
  /** Waits between the first inquiries, by the service's clock. */
  readonly inquirySteps: readonly number[];
  /** The interval of inquiries after `inquirySteps`. */
  readonly inquiryEvery: number;
  /** After this time the resolver stops its inquiries and an operator has to decide. */
  readonly inquiriesFor: number;
  /** Late inquiries: times after an operation was closed as not executed, by the service's clock. */
  readonly lateChecks: readonly number[];
  readonly idempotencyLifetime: number;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const defaultTimings: Timings = {
  sendWithin: 2 * SECOND,
  processorDeadline: 10 * SECOND,
  terminalDeadline: 130 * SECOND,
  margin: 5 * SECOND,
  bankAnswerWithin: 25 * HOUR,
  authorizationLifetime: 7 * DAY,
  formLifetime: 30 * MINUTE,
  challengeLifetime: 10 * MINUTE,
  inquirySteps: [5 * SECOND, 15 * SECOND, 30 * SECOND, 60 * SECOND, 5 * MINUTE],
  inquiryEvery: 30 * MINUTE,
  inquiriesFor: 7 * DAY,
  lateChecks: [MINUTE, HOUR, DAY],
  idempotencyLifetime: DAY,
};
