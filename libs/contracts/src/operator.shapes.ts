import type { CurrencyCode, FormSettings, PaymentMethodListItem } from './payment-method.shapes.js';
import type { TransactionResult, TransactionType } from './transaction.result.js';

export const MERCHANT_STATUSES = ['Active', 'Disabled'] as const;
export type MerchantStatus = (typeof MERCHANT_STATUSES)[number];

export const FUNDING_TYPES = ['Net', 'Gross'] as const;
export type FundingType = (typeof FUNDING_TYPES)[number];

/** A merchant, for operators (`docs/spec/operators.md#merchants`). */
export interface Merchant {
  id: string;
  name: string;
  status: MerchantStatus;
  currencies: CurrencyCode[];
  /** IANA name. */
  timeZone: string;
  /** `HH:MM` in that zone, when the merchant's open batches close. */
  cutOff: string;
  /** `en` or `fr`, with or without a country: `fr-CA`. */
  locale: string;
  fundingType: FundingType;
  managedWebhooks: boolean;
  /** `dailyLimit`: cents per currency and day; absent: no limit. */
  unreferencedRefunds: { enabled: boolean; dailyLimit?: number };
  /** 0: no limit; absent: the service's default. */
  rateLimitPerSecond?: number;
  createdAt: string;
  /** The last change of settings or status. */
  updatedAt: string;
}

/** A terminal or form, for operators. */
export interface OperatorPaymentMethod extends CreatedPaymentMethod {
  disabled: boolean;
}

/** The response to the creation of a terminal or form: an item of `GET /payment-methods`, with form settings. */
export interface CreatedPaymentMethod extends PaymentMethodListItem, FormSettings {}

/**
 * A merchant's key, for operators (`docs/spec/operators.md#api-keys`). The key itself is shown only at its creation.
 */
export interface ApiKeyItem {
  /** `key_…`. */
  id: string;
  name: string;
  readOnly: boolean;
  lastFour: string;
  createdAt: string;
  /** Only of a revoked key. */
  revokedAt?: string;
}

/** The response to the creation of a key, the only one that contains `key`. */
export interface CreatedApiKey extends Pick<ApiKeyItem, 'id' | 'name' | 'readOnly' | 'createdAt'> {
  key: string;
}

/** An operator's key. Operators create, replace and revoke them on the command line. */
export interface AdminKeyItem extends Omit<ApiKeyItem, 'readOnly'> {
  createdBy: string;
  revokedBy?: string;
}

export const BATCH_STATUSES = ['Open', 'Closing', 'Closed'] as const;
export type BatchStatus = (typeof BATCH_STATUSES)[number];

/**
 * The captured and refunded operations of a merchant in one currency, from one cut-off to the next
 * (`docs/spec/operators.md#batches`).
 */
export interface Batch {
  id: string;
  merchantId: string;
  currency: CurrencyCode;
  status: BatchStatus;
  /** Of a batch that is not closed: the items that it would take now. */
  transactionCount: number;
  /** Signed cents. */
  amount: number;
  openedAt: string;
  /** The cut-off, even if the batch closer ran later. */
  closedAt?: string;
}

export interface BatchClosing {
  data: Batch[];
}

/** A processor, for operators. */
export interface ProcessorState {
  name: string;
  /** Of this instance's circuit breaker. Only `Closed` lets all attempts through. */
  state: 'Closed' | 'Open' | 'HalfOpen';
  /** The processor switch, on all instances. Absent: not stopped. */
  stopped?: { by: string; reason: string; since: string };
}

export type ProjectionState = 'Live' | 'Rebuilding' | 'Halted';

/** A projection, which makes a list from the events (`docs/spec/service.md#projections`). */
export interface Projection {
  name: string;
  status: ProjectionState;
  /** *ext*: why the projection halted. */
  reason?: string;
  /** Of the last handled event; only the event store can read it. Absent before the first event. */
  position?: string;
  /** Events that are not handled yet; 1000 means 1000 or more. */
  lagEvents: number;
  /** The last time that the position moved. */
  updatedAt: string;
}

/** An operation with an unknown outcome (`docs/spec/unknown-outcomes.md#operators`). */
export interface UnknownOutcome {
  transactionId: string;
  merchantId: string;
  /** `Reversal` *ext*: the service's own, which merchants do not see. */
  type: TransactionType | 'Reversal';
  /** Cents; absent on an operation on a stored card. */
  amount?: number;
  currency: string;
  since: string;
  inquiries: number;
  /** Absent if the operation waits for an operator. */
  nextInquiryAt?: string;
  /** *ext*: one operator's resolution, which a second has to confirm. */
  proposal?: ResolutionProposal;
}

export interface ResolutionProposal {
  outcome: 'Approved' | 'Declined' | 'NotReceived';
  reason: string;
  authCode?: string;
  proposedBy: string;
  proposedAt: string;
}

/**
 * The result of a forced inquiry or manual resolution. `Unknown`: the inquiry gave no outcome. `AwaitingConfirmation`:
 * no effect yet; an operator with another key has to confirm.
 */
export type UnknownOutcomeState = 'Unknown' | 'AwaitingConfirmation' | 'Known';

export interface UnknownOutcomeAnswer extends UnknownOutcome {
  state: UnknownOutcomeState;
  /** The transaction for its merchant; absent for a reversal. */
  transaction?: TransactionResult;
}

export interface Liveness {
  status: 'live';
}

/** HTTP 200 when ready; else 503, with a reason for each failed check. */
export interface Readiness {
  status: 'ready' | 'unavailable';
  reasons: string[];
  checks: HealthCheck[];
}

export interface HealthCheck {
  name: string;
  /** `warning`: an operator should look at it; the service still takes requests. */
  state: 'ok' | 'warning' | 'failed';
  /** Absent if the state is `ok`. */
  reason?: string;
}
