/** Named instants of the protocol, for proofs that stop or kill the process right there. Does nothing in production. */
export type CrashPoint =
  | 'after-claim'
  | 'after-request'
  | 'before-send'
  | 'after-send'
  | 'after-answer'
  | 'before-outcome'
  | 'after-outcome'
  | 'before-response';

export interface CrashPoints {
  /** Called at each; it may never come back. */
  reached(point: CrashPoint): void;
}

export const noCrashPoints: CrashPoints = { reached: () => undefined };
