import type {
  AccountHolders,
  Batches,
  Forms,
  SessionIds,
  Authentication,
  Payments,
  Provisioning,
  StoredCards,
  UnknownOutcomes,
  MerchantApplicationRegistry,
  PricingTemplateRegistry,
  WebhookEndpointRegistry,
} from '@tillstream/payments';
import type { SandboxFacts } from '@tillstream/contracts';
import type { Adapters, Config, Log } from '@tillstream/platform';
import type { ReadModelQueries } from '@tillstream/read-models';
import type { MerchantTurns } from './access/merchant.turns.js';
import type { SubmissionLimitSettings } from './card-testing/submission.limits.js';
import type { RebuildingProjections } from './operators/projections/projection.rebuilds.js';
import type { DueWork } from './sandbox/clock.due-work.js';

/** The parts of the service that the controllers use; they are created before Nest starts. */
export interface ApiParts {
  readonly payments: Payments;
  readonly storedCards: StoredCards;
  readonly forms: Forms;
  readonly sessionIds: SessionIds;
  readonly accountHolders: AccountHolders;
  readonly authentication: Authentication;
  readonly provisioning: Provisioning;
  readonly mode: Config['mode'];
  readonly unknownOutcomes: UnknownOutcomes;
  readonly batches: Batches;
  readonly webhookEndpoints: WebhookEndpointRegistry;
  readonly applications: MerchantApplicationRegistry;
  readonly pricingTemplates: PricingTemplateRegistry;
  readonly projections: RebuildingProjections;
  /** The response to a move of the service's clock waits for these; the resolver is the first. */
  readonly dueWork: readonly DueWork[];
  readonly lists: ReadModelQueries;
  readonly adapters: Adapters;
  readonly log: Log;
  /** Requests a second and merchant; 0 is no limit. */
  readonly defaultRateLimit: number;
  readonly turns: MerchantTurns;
  readonly submissionLimitSettings: SubmissionLimitSettings;
  readonly readiness: ReadinessGate;
  readonly demo: DemoFacts;
}

/** Reads what `sandbox.json` says of the demo merchant now: its key can be rotated. @throws Error before the first start wrote it */
export type DemoFacts = () => Pick<SandboxFacts, 'apiKey' | 'merchantId'>;

/** Closed until the start is over, and again once the process stops. */
export interface ReadinessGate {
  /** Why the process takes no requests now. */
  closedBecause: string | undefined;
}

/** Where the service is reached; empty until it listens. */
export interface ListeningAddress {
  /** `http://localhost:3000`. */
  origin: string;
  /** Where customers' browsers reach it: `PUBLIC_URL`, else the origin. */
  publicOrigin: string;
}

/** What providers can inject: the parts, some of the adapters and lists under a name of their own, the address. */
export function injectable(parts: ApiParts, address: ListeningAddress) {
  const { vault, store, responseSealer, crashPoints, sandbox, processors } = parts.adapters;
  const { merchants, paymentMethods, settlements, settledTransactions, feeCharges } = parts.lists;
  const ofAdapters = { vault, store, responseSealer, crashPoints, sandbox, processors };
  const singleLists = { merchants, paymentMethods, settlements, settledTransactions, feeCharges };
  return { ...parts, ...ofAdapters, ...singleLists, address };
}

type Injectable = ReturnType<typeof injectable>;

/** An injection token: the parts are interfaces, which do not exist at run time. */
export type Part<Value> = string & { readonly part?: Value };

export const TOKENS: (keyof Injectable)[] = [];

function part<Name extends keyof Injectable>(name: Name): Part<Injectable[Name]> {
  TOKENS.push(name);
  return name;
}

export const PAYMENTS = part('payments');
export const STORED_CARDS = part('storedCards');
export const FORMS = part('forms');
export const SESSION_IDS = part('sessionIds');
export const ACCOUNT_HOLDERS = part('accountHolders');
export const LISTS = part('lists');
export const MERCHANT_LIST = part('merchants');
export const PAYMENT_METHOD_LIST = part('paymentMethods');
export const SETTLEMENT_LIST = part('settlements');
export const SETTLED_TRANSACTION_LIST = part('settledTransactions');
export const FEE_CHARGE_LIST = part('feeCharges');
/** Only its `open`: lists hold sealed personal data; a controller never needs a card number. */
export const VAULT = part('vault');
export const AUTHENTICATION = part('authentication');
export const PROVISIONING = part('provisioning');
export const MODE = part('mode');
export const UNKNOWN_OUTCOMES = part('unknownOutcomes');
export const PROJECTIONS_CONTROL = part('projections');
export const PROCESSORS = part('processors');
export const DUE_WORK = part('dueWork');
export const BATCHES = part('batches');
export const WEBHOOK_ENDPOINTS = part('webhookEndpoints');
export const APPLICATIONS = part('applications');
export const PRICING_TEMPLATES = part('pricingTemplates');
export const ADAPTERS = part('adapters');
export const EVENTS = part('store');
export const SEALER = part('responseSealer');
export const CRASH_POINTS = part('crashPoints');
export const SANDBOX = part('sandbox');
export const LOG = part('log');
export const RATE_LIMIT = part('defaultRateLimit');
export const TURNS = part('turns');
export const SUBMISSION_LIMIT_SETTINGS = part('submissionLimitSettings');
export const READINESS = part('readiness');
export const DEMO_FACTS = part('demo');
export const ADDRESS = part('address');
