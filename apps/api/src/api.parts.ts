import type { Directory, Payments, Resolver } from '@tillstream/payments';
import type { Adapters, Log } from '@tillstream/platform';

/** What the controllers stand on, made before Nest and handed in. */
export interface ApiParts {
  readonly payments: Payments;
  readonly directory: Directory;
  readonly resolver: Resolver;
  readonly adapters: Adapters;
  readonly log: Log;
  /** Requests a second and merchant; 0 is no limit. */
  readonly defaultRateLimit: number;
  readonly readiness: ReadinessGate;
}

/** Closed until the start is over, and again once the process stops. */
export interface ReadinessGate {
  /** Why the process does not want requests now. */
  closedBecause: string | undefined;
}

/* Injection tokens: the parts are interfaces, which Nest can't tell apart by type. */
export const PAYMENTS = Symbol('Payments');
export const DIRECTORY = Symbol('Directory');
export const RESOLVER = Symbol('Resolver');
export const ADAPTERS = Symbol('Adapters');
export const EVENTS = Symbol('EventStore');
export const SEALER = Symbol('AnswerSealer');
export const CRASH_POINTS = Symbol('CrashPoints');
export const SANDBOX = Symbol('SandboxControls');
export const LOG = Symbol('Log');
export const RATE_LIMIT = Symbol('RateLimit');
export const READINESS = Symbol('ReadinessGate');
