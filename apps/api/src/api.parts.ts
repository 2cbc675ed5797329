import type { AccountHolders, Directory, Payments, Resolver, StoredCards } from '@tillstream/payments';
import type { Adapters, Log } from '@tillstream/platform';
import type { ReadModelQueries } from '@tillstream/read-models';

/** What the controllers stand on, made before Nest and handed in. */
export interface ApiParts {
  readonly payments: Payments;
  readonly storedCards: StoredCards;
  readonly accountHolders: AccountHolders;
  readonly directory: Directory;
  readonly resolver: Resolver;
  readonly lists: ReadModelQueries;
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
export const STORED_CARDS = Symbol('StoredCards');
export const ACCOUNT_HOLDERS = Symbol('AccountHolders');
export const LISTS = Symbol('ReadModelQueries');
/** Only its `open`: lists hold sealed personal data, and card numbers are none of a controller's business. */
export const VAULT = Symbol('Vault');
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
