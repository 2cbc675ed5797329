/** Named places in the payment protocol at which proofs stop or kill the process. In production they have no effect. */
export const CRASH_POINTS = [
  'after-claim',
  'after-request',
  'after-authentication',
  'after-authentication-stored',
  'before-send',
  'after-send',
  'after-answer',
  'before-outcome',
  'after-outcome',
  'before-response',
  'before-notice-stored',
  'after-notice-stored',
] as const;
export type CrashPoint = (typeof CRASH_POINTS)[number];

export interface CrashPoints {
  /** Called at each crash point. In a proof it may never return. */
  reached(point: CrashPoint): void;
}

export const noCrashPoints: CrashPoints = { reached: () => undefined };
