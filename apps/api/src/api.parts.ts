import type {
  AccountHolders,
  Batches,
  Authentication,
  Payments,
  Provisioning,
  StoredCards,
  UnknownOutcomes,
} from '@tillstream/payments';
import type { Adapters, Config, Log } from '@tillstream/platform';
import type { ReadModelQueries } from '@tillstream/read-models';
import type { Projections } from './operators/projections/projection.rebuilds.js';
import type { DueWork } from './sandbox/clock.due-work.js';

/** The parts of the service that the controllers use; they are created before Nest starts. */
export interface ApiParts {
  readonly payments: Payments;
  readonly storedCards: StoredCards;
  readonly accountHolders: AccountHolders;
  readonly directory: Authentication;
  readonly provisioning: Provisioning;
  readonly mode: Config['mode'];
  readonly unknownOutcomes: UnknownOutcomes;
  readonly batches: Batches;
  readonly projections: Projections;
  /** The response to a move of the service's clock waits for these; the resolver is the first. */
  readonly dueWork: readonly DueWork[];
  readonly lists: ReadModelQueries;
  readonly adapters: Adapters;
  readonly log: Log;
  /** Requests a second and merchant; 0 is no limit. */
  readonly defaultRateLimit: number;
  readonly readiness: ReadinessGate;
}

/** Closed until the start is over, and again once the process stops. */
export interface ReadinessGate {
  /** Why the process takes no requests now. */
  closedBecause: string | undefined;
}

/** Where the service is reached; empty until it listens. */
export interface ListeningAddress {
  /** `http://localhost:3000`. */
  origin: string;
}

/** An injection token: the parts are interfaces, which do not exist at run time. */
export type Part<Value> = symbol & { readonly part?: Value };

const part = <Value>(name: string): Part<Value> => Symbol(name) as Part<Value>;

export const PAYMENTS = part<Payments>('Payments');
export const STORED_CARDS = part<StoredCards>('StoredCards');
export const ACCOUNT_HOLDERS = part<AccountHolders>('AccountHolders');
export const LISTS = Symbol('ReadModelQueries');
/** Only its `open`: lists hold sealed personal data; a controller never needs a card number. */
export const VAULT = Symbol('Vault');
export const DIRECTORY = Symbol('Directory');
export const PROVISIONING = part<Provisioning>('Provisioning');
export const MODE = Symbol('Mode');
export const UNKNOWN_OUTCOMES = part<UnknownOutcomes>('UnknownOutcomes');
export const PROJECTIONS_CONTROL = part<Projections>('Projections');
export const DUE_WORK = Symbol('DueWork');
export const BATCHES = part<Batches>('Batches');
export const ADAPTERS = Symbol('Adapters');
export const EVENTS = Symbol('EventStore');
export const SEALER = Symbol('AnswerSealer');
export const CRASH_POINTS = Symbol('CrashPoints');
export const SANDBOX = Symbol('SandboxControls');
export const LOG = Symbol('Log');
export const RATE_LIMIT = Symbol('RateLimit');
export const READINESS = Symbol('ReadinessGate');
export const ADDRESS = Symbol('ListeningAddress');
