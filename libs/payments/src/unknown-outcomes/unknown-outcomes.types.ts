import type {
  Cents,
  Currency,
  OperationId,
  OperationKind,
  Payment,
  Proposal,
  ResolutionOutcome,
  Token,
} from '@tillstream/domain';
import type { Actor } from '../requests/request.types.js';

/* Operators' actions on unknown outcomes (`docs/spec/unknown-outcomes.md#operators`). */

export interface OperatorContext {
  readonly actor: Actor;
  /** 32 hex. */
  readonly traceId: string;
}

export interface UnknownOutcomesRequest {
  /** 1 to 100. */
  readonly limit: number;
  /** Default: all merchants. */
  readonly merchantIds?: readonly string[];
  /** `next` of the previous page. */
  readonly after?: UnknownOutcomeCursor;
}

export interface UnknownOutcomeCursor {
  /** Service's clock, ms since 1970. */
  readonly since: number;
  readonly transactionId: string;
}

export interface UnknownOutcomesPage {
  readonly items: readonly UnknownOutcome[];
  /** Null on the last page. */
  readonly next: UnknownOutcomeCursor | null;
}

export interface UnknownOutcome {
  readonly transactionId: OperationId;
  readonly merchantId: string;
  readonly type: OperationKind | 'TokenCreate';
  /** Absent on a card verification. */
  readonly amount?: Cents;
  readonly currency: Currency;
  /** RFC 3339, service's clock. */
  readonly since: string;
  readonly inquiries: number;
  /** RFC 3339, service's clock. Absent if the resolver makes no more inquiries. */
  readonly nextInquiryAt?: string;
  /** The first operator's decision, which a second operator has to confirm. */
  readonly proposal?: Proposal;
}

export interface ManualResolution {
  readonly outcome: ResolutionOutcome;
  /** The events keep it, and the merchant sees it. */
  readonly reason: string;
  /** With `Approved` only. */
  readonly authCode?: string;
}

export interface ResolveRequest {
  readonly transactionId: string;
  readonly resolution: ManualResolution;
  readonly commandId: string | undefined;
}

/** The operation in its current state. */
export type KnownOperation =
  | { readonly payment: Payment; readonly operationId: OperationId }
  | { readonly token: Token; readonly operationId: OperationId };

interface ResultOf<Kind> {
  readonly kind: Kind;
  readonly outcome: UnknownOutcome;
  readonly known: KnownOperation;
}

export type InquireResult = ResultOf<'Known'> | ResultOf<'Unknown'> | NoActionResult;

export type ResolveResult =
  | ResultOf<'Known'>
  /** `outcome.proposal` is the first operator's decision. */
  | ResultOf<'AwaitsConfirmation'>
  /** The admin key that proposed the resolution can't confirm it. */
  | { readonly kind: 'SameOperator'; readonly message: string }
  /** An operator can't approve a card verification: only the processor has the card to store. */
  | { readonly kind: 'NoTokenWithoutCard' }
  | NoActionResult;

/** No inquiry was made, and nothing was recorded. */
export type NoActionResult =
  | { readonly kind: 'NotFound' }
  /** `what`: the outcome, as a text for an operator. */
  | { readonly kind: 'KnownAlready'; readonly what: string }
  /** The client may still wait for the response. `firstInquiryAt`: RFC 3339, service's clock. */
  | { readonly kind: 'TooEarly'; readonly firstInquiryAt: string }
  /** An inquiry is under way. */
  | { readonly kind: 'InHand' }
  /** The append was refused after every decision, because other writers changed the stream. */
  | { readonly kind: 'Contended' };

export interface UnknownOutcomesSummary {
  /** Counted up to `MOST_UNKNOWN_COUNTED`. */
  readonly open: number;
  /** Ms by the service's clock since the oldest became unknown. Absent if there is none. */
  readonly oldestAgeMs?: number;
  /** Late executions in the whole history. */
  readonly lateApprovals: number;
}

export const MOST_UNKNOWN_COUNTED = 10_000;
