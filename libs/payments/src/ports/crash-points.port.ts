/** Named instants of the protocol, for proofs that stop or kill the process right there. Does nothing in production. */
export const CRASH_POINTS = [
  'after-claim',
  'after-request',
  'before-send',
  'after-send',
  'after-answer',
  'before-outcome',
  'after-outcome',
  'before-response',
] as const;
export type CrashPoint = (typeof CRASH_POINTS)[number];

export interface CrashPoints {
  /** Called at each; it may never come back. */
  reached(point: CrashPoint): void;
}

export const noCrashPoints: CrashPoints = { reached: () => undefined };
