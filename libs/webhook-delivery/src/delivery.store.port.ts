import type { Checkpoint, HandleResult } from '@tillstream/event-consumers';
import type { HistoryWitness, Position } from '@tillstream/event-store';
import type {
  AttemptResult,
  ClaimedBatch,
  DeliveryCursor,
  DeliveryEndpoint,
  DeliveryFilter,
  DeliveryMeasures,
  DeliveryOrder,
  MerchantNumbers,
  NumberedEvent,
  StoredDelivery,
  TestDelivery,
} from './delivery.types.js';

/** Sealed bodies and answers are deleted after 30 days by the service clock (`docs/spec/webhooks.md#retries`). */
export const BODY_LIFETIME_MS = 30 * 24 * 3_600_000;

/** Ms since 1970 by both clocks. `real` never jumps with the sandbox's clock; claims end by it. */
export interface Clocks {
  readonly service: number;
  readonly real: number;
}

export type EndpointChange =
  | { readonly kind: 'Put'; readonly endpoint: DeliveryEndpoint }
  /** Its deliveries are deleted with it, by `purge` in small steps. */
  | { readonly kind: 'Remove'; readonly endpointId: string };

/** What a page of history changes. All numbers follow from history, and from the numbers at `from`. */
export interface NumberedPage {
  readonly from: Position | undefined;
  readonly to: Position;
  readonly witness: HistoryWitness;
  /** Endpoints after the page. */
  readonly endpoints: readonly EndpointChange[];
  /** By merchant: `event.sequence` of its last event in the page, also of events that no endpoint gets. */
  readonly sequences: ReadonlyMap<string, number>;
  /** In order. Events that no endpoint gets are left out. */
  readonly events: readonly NumberedEvent[];
}

/** The tables of the leader that numbers. */
export interface NumberingTables {
  checkpoint(): Promise<Checkpoint | undefined>;
  /** Numbers as of the checkpoint. Merchants without any have sequence 0 and no endpoints. In the order of `merchantIds`. */
  numbersOf(merchantIds: readonly string[]): Promise<MerchantNumbers[]>;
  /** Writes the page and its checkpoint in one transaction, if the checkpoint is still `page.from`; else nothing. */
  record(page: NumberedPage): Promise<HandleResult>;
  /** Deletes everything, checkpoint included. */
  reset(): Promise<void>;
}

export interface ClaimRequest {
  readonly endpointIds: readonly string[];
  /** Most deliveries of one endpoint that all processes together have claimed, this claim included. */
  readonly perEndpointMax: number;
  /** Most deliveries in all. */
  readonly limit: number;
  /** Random, new for each claim: the results are written under it. */
  readonly token: string;
  readonly now: Clocks;
  /** Real time after which another process may claim the same deliveries. */
  readonly leaseMs: number;
}

/**
 * `StartedFailing`: its first failure after a success. `Exhausted`: its first delivery since then that is not tried any more.
 * `Recovered`: its first success since then.
 */
export type HealthChange = 'StartedFailing' | 'Exhausted' | 'Recovered';

/** Results of deliveries that were claimed under this token. */
export interface ClaimResults {
  readonly token: string;
  readonly results: readonly AttemptResult[];
}

export interface Finished {
  /** The deliveries whose result was written. Others were claimed by another process meanwhile, or are gone. */
  readonly written: readonly string[];
  /** By endpoint: start of the first failure after the last success; undefined after a success. */
  readonly failingSince: ReadonlyMap<string, number | undefined>;
  /** By endpoint, without those that stayed as they were. Of all processes one gets each change. */
  readonly health: ReadonlyMap<string, readonly HealthChange[]>;
}

/** The queue of the processes that send. Its cost does not grow with the backlog. */
export interface SendingQueue {
  /** Enabled endpoints with a due delivery that is not claimed, the longest due first, without `exclude`. */
  dueEndpoints(now: Clocks, limit: number, exclude: ReadonlySet<string>): Promise<string[]>;
  /**
   * First writes results: it ends their claims, and adds the attempts. A stale token writes nothing. Then claims due
   * deliveries, the longest due first; deliveries that were never tried are due in the order of their `hook-sequence`.
   * Deliveries whose body is gone become `Exhausted`. Answers in the order of `results` and `requests`.
   */
  finishAndClaim(
    results: readonly ClaimResults[],
    requests: readonly ClaimRequest[],
  ): Promise<{ readonly finished: readonly Finished[]; readonly claimed: readonly ClaimedBatch[][] }>;
  /** Gives claims back unsent, at the end of a process. */
  release(token: string, deliveryIds: readonly string[]): Promise<void>;
  /** When the next delivery of an enabled endpoint that is not claimed is due, service clock. */
  nextDueAt(): Promise<number | undefined>;
}

export type ReplayResult =
  | { readonly kind: 'Replayed'; readonly delivery: StoredDelivery }
  | { readonly kind: 'NotFound' }
  /** A disabled endpoint gets nothing. */
  | { readonly kind: 'EndpointDisabled' }
  /** Its body is older than `BODY_LIFETIME_MS`. */
  | { readonly kind: 'BodyDeleted' };

/** `failedSince`: those that are not delivered. From-to (both inclusive): delivered ones too. By `createdAt`. */
export type ReplayRange =
  | { readonly endpointId: string; readonly failedSince: number }
  | { readonly endpointId: string; readonly from: number; readonly to: number };

export interface ReplayStep {
  readonly range: ReplayRange;
  readonly now: number;
  /** `next` of the step before. */
  readonly after: DeliveryCursor | undefined;
  /** Most deliveries of this step, one transaction. */
  readonly limit: number;
}

/** What the API shows and asks for. */
export interface DeliveryRecords {
  /** `limit` at most, after the cursor. */
  list(
    filter: DeliveryFilter,
    after: DeliveryCursor | undefined,
    limit: number,
    order?: DeliveryOrder,
  ): Promise<StoredDelivery[]>;
  /** The number of deliveries that fit, counted up to `max`. */
  count(filter: DeliveryFilter, max: number): Promise<number>;
  /** Undefined if this endpoint has no such delivery. */
  find(endpointId: string, deliveryId: string): Promise<StoredDelivery | undefined>;
  /** Makes one more attempt due at `now` (service clock). */
  replay(endpointId: string, deliveryId: string, now: number): Promise<ReplayResult>;
  /**
   * The next deliveries of a range, oldest first, without test events and those whose body is too old. `next` is undefined
   * at the end. A disabled endpoint gets none.
   */
  replayStep(
    step: ReplayStep,
  ): Promise<{ readonly count: number; readonly next: DeliveryCursor | undefined }>;
  /** Makes an example event due at once. False if the endpoint is not known (yet). */
  addTest(delivery: TestDelivery): Promise<boolean>;
}

/** The port. Times are ms since 1970 by the service clock. Each call is one transaction. */
export interface DeliveryStore extends NumberingTables, SendingQueue, DeliveryRecords {
  /**
   * One step of deleting: bodies and answers of events before this time, and deliveries of removed endpoints; and it marks
   * stopped deliveries as `Exhausted`. Returns the number of changed rows, up to some hundreds; 0: nothing is left to do.
   */
  purge(bodiesBefore: number): Promise<number>;
  /** For metrics. `countMax`: most deliveries that are counted, so that the cost does not grow with the backlog. */
  measure(now: number, countMax: number): Promise<DeliveryMeasures>;
  close(): Promise<void>;
}
