/** `docs/spec/unknown-outcomes.md#timing`. All in ms and configurable. */
export interface Timings {
  /** From the request to the last moment at which it may be sent. */
  readonly sendWithin: number;
  readonly processorDeadline: number;
  readonly terminalDeadline: number;
  /** After `sendBefore` + deadline, before the first inquiry. */
  readonly margin: number;
  /** From a bank's acceptance to the first inquiry into its answer, by the service's clock; a notice comes sooner. */
  readonly bankAnswerWithin: number;
  readonly authorizationLifetime: number;
  /** From one inquiry to the next, by the service's clock. */
  readonly inquirySteps: readonly number[];
  /** After the steps: this often, for so long, then an operator. */
  readonly inquiryEvery: number;
  readonly inquiriesFor: number;
  /** After a close as "did not happen", by the service's clock. */
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
  inquirySteps: [5 * SECOND, 15 * SECOND, 30 * SECOND, 60 * SECOND, 5 * MINUTE],
  inquiryEvery: 30 * MINUTE,
  inquiriesFor: 7 * DAY,
  lateChecks: [MINUTE, HOUR, DAY],
  idempotencyLifetime: DAY,
};
