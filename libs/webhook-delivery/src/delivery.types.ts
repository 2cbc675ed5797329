import type { WebhookEndpoint } from '@tillstream/domain';

/*
 * The rows of webhook deliveries. Times are ms since 1970 by the service clock, if no other clock is named. Secrets, bodies
 * and answers are encrypted; the store never opens them.
 */

/** `Failed`: will be tried again. `Exhausted`: will not, and was never delivered (`docs/spec/webhooks.md#deliveries`). */
export type DeliveryStatus = 'Pending' | 'Succeeded' | 'Failed' | 'Exhausted';

/** An endpoint as its events say it: a function of history. */
export interface DeliveryEndpoint extends WebhookEndpoint {
  /** `mer_…`. */
  readonly merchantId: string;
}

/** An endpoint with the number of its last delivery. */
export interface NumberedEndpoint {
  readonly endpoint: DeliveryEndpoint;
  /** `hook-sequence` of the last delivery, 0 before the first. */
  readonly hookSequence: number;
}

/** What a merchant's next webhook event is numbered from. */
export interface MerchantNumbers {
  readonly merchantId: string;
  /** `event.sequence` of the last event, 0 before the first. */
  readonly sequence: number;
  /** Without the deleted ones, in the order of creation. */
  readonly endpoints: readonly NumberedEndpoint[];
}

/** One webhook event, for all endpoints that get it. */
export interface NumberedEvent {
  /** `evt_…`. */
  readonly eventId: string;
  readonly merchantId: string;
  readonly type: string;
  /** From 1, without gaps for a merchant. */
  readonly sequence: number;
  /** `createdAt` of its deliveries: when the stored event happened. */
  readonly at: number;
  /** The sealed bytes. Absent: older than `BODY_LIFETIME_MS` already, so that it is not sent. */
  readonly body?: Uint8Array;
  /** At least one. */
  readonly deliveries: readonly NewDelivery[];
}

export interface NewDelivery {
  /** `dlv_…`. */
  readonly deliveryId: string;
  /** `msg_…`. */
  readonly hookId: string;
  readonly endpointId: string;
  /** From 1, without gaps for an endpoint. */
  readonly hookSequence: number;
  /** `Exhausted`: of a disabled endpoint or without a body. It is sent only by a replay. */
  readonly status: 'Pending' | 'Exhausted';
  /**
   * `enabledAt` of the endpoint when the event was numbered; absent if it was never enabled. Only deliveries that have the
   * endpoint's own `enabledAt` are sent: enabling starts anew.
   */
  readonly enabledAt?: string;
}

/** A delivery of an example event, which has no numbers. Not made from history. */
export interface TestDelivery extends Pick<NewDelivery, 'deliveryId' | 'hookId' | 'endpointId'> {
  readonly eventId: string;
  readonly type: string;
  readonly at: number;
  readonly body: Uint8Array;
}

/** Deliveries of one endpoint that this process may send now. */
export interface ClaimedBatch {
  readonly endpoint: DeliveryEndpoint;
  /** In the order in which they are to be started. */
  readonly deliveries: readonly ClaimedDelivery[];
}

export interface ClaimedDelivery {
  readonly deliveryId: string;
  readonly eventId: string;
  readonly hookId: string;
  readonly type: string;
  /** Absent on test events. */
  readonly hookSequence?: number;
  /** Sealed for `eventId`. */
  readonly body: Uint8Array;
  /** Attempts of the schedule so far: 0 before the first one. A replay does not count. */
  readonly attempts: number;
  /** The status that the delivery had when it was replayed; absent on attempts of the schedule. */
  readonly replayOf?: 'Succeeded' | 'Exhausted';
}

export interface DeliveryAttempt {
  /** Start. */
  readonly at: number;
  /** HTTP status; absent without an answer. */
  readonly status?: number;
  readonly durationMs: number;
  /** The beginning of the answer, redacted and sealed. */
  readonly answer?: Uint8Array;
  /** Why there was no success, one sentence. */
  readonly error?: string;
}

export interface AttemptResult {
  readonly deliveryId: string;
  readonly attempt: DeliveryAttempt;
  readonly outcome:
    | { readonly kind: 'Succeeded' }
    | { readonly kind: 'Failed'; readonly nextTryAt: number }
    | { readonly kind: 'Exhausted' };
}

/** Where a list goes on: the last delivery of the page before. */
export interface DeliveryCursor {
  readonly createdAt: number;
  readonly number: number;
}

/** A delivery as it is listed. */
export interface StoredDelivery extends DeliveryCursor {
  readonly deliveryId: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly hookId: string;
  readonly status: DeliveryStatus;
  readonly nextTryAt?: number;
  /** Oldest first. */
  readonly tries: readonly DeliveryAttempt[];
}

export type DeliveryOrder = 'NewestFirst' | 'OldestFirst';

/** A list of values means any of them. */
export interface DeliveryFilter {
  readonly endpointId: string;
  readonly status?: readonly DeliveryStatus[];
  readonly eventType?: readonly string[];
  readonly eventId?: readonly string[];
  /** Inclusive. */
  readonly createdFrom?: number;
  /** Inclusive. */
  readonly createdTo?: number;
}

export interface DeliveryMeasures {
  /** Deliveries of enabled endpoints that are due and not claimed, counted up to the given number. */
  readonly due: number;
  /** Those that are due later, counted up to the given number. */
  readonly later: number;
  /** When the longest due of them fell due. */
  readonly oldestDueAt?: number;
  /** The number of endpoints, each in one of these. */
  readonly endpoints: Readonly<Record<EndpointHealth, number>>;
  /** Start of the longest failure of an enabled endpoint. */
  readonly failingSince?: number;
}

/** `Failing`: enabled, and its last attempt failed. The last three are disabled: by a person, by a 410, after five days. */
export type EndpointHealth = 'Well' | 'Failing' | 'Disabled' | 'DisabledGone' | 'DisabledFailing';
