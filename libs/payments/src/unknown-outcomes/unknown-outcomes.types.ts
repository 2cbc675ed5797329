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

/** What operators can do about an operation whose outcome nobody knows (`docs/spec/unknown-outcomes.md#operators`). */
export interface UnknownOutcomes {
  /** The longest unknown first. */
  list(request: UnknownOutcomesRequest): Promise<UnknownOutcomesPage>;
  /** Asks the processor now. Repeated, it asks again. */
  inquire(operator: OperatorContext, transactionId: string): Promise<InquireResult>;
  /** Ends the try as the operator says, or proposes that to a second one. `commandId`: repeated, nothing is done twice. */
  resolve(
    operator: OperatorContext,
    transactionId: string,
    word: ManualResolution,
    commandId?: string,
  ): Promise<ResolveResult>;
  /** For metrics, at a cost that does not grow with history. */
  summary(): Promise<UnknownOutcomesSummary>;
}

export interface OperatorContext {
  readonly actor: Actor;
  /** 32 hex. */
  readonly traceId: string;
}

export interface UnknownOutcomesRequest {
  /** 1 to 100. */
  readonly limit: number;
  /** Any of these; left out: of all. */
  readonly merchantIds?: readonly string[];
  /** `next` of the page before. */
  readonly after?: UnknownOutcomeCursor;
}

/** Service's clock, ms, and the transaction. */
export interface UnknownOutcomeCursor {
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
  /** Absent on an operation on a stored card. */
  readonly amount?: Cents;
  readonly currency: Currency;
  /** RFC 3339, service's clock. */
  readonly since: string;
  readonly inquiries: number;
  /** By the clock that it counts by; absent: none will come by itself any more. */
  readonly nextInquiryAt?: string;
  /** What one operator said, and a second has to confirm. */
  readonly proposal?: Proposal;
}

/** `reason` is kept in history, and shown to the merchant. */
export interface ManualResolution {
  readonly outcome: ResolutionOutcome;
  readonly reason: string;
  /** With `Approved` only. */
  readonly authCode?: string;
}

/** The operation as it is known now. */
export type KnownOperation =
  | { readonly payment: Payment; readonly operationId: OperationId }
  | { readonly token: Token; readonly operationId: OperationId };

export type InquireResult =
  | { readonly kind: 'Known'; readonly outcome: UnknownOutcome; readonly known: KnownOperation }
  | StillUnknown
  | NoActionResult;

export type ResolveResult =
  | { readonly kind: 'Known'; readonly outcome: UnknownOutcome; readonly known: KnownOperation }
  /** Its `findProposal` says what was proposed, and by whom. */
  | { readonly kind: 'AwaitsConfirmation'; readonly outcome: UnknownOutcome; readonly known: KnownOperation }
  /** The same admin key proposed it. */
  | { readonly kind: 'SameOperator'; readonly message: string }
  /** Only the processor can tell the card that was approved. */
  | { readonly kind: 'NoTokenWithoutCard' }
  | NoActionResult;

type StillUnknown = {
  readonly kind: 'Unknown';
  readonly outcome: UnknownOutcome;
  readonly known: KnownOperation;
};

/** Nothing was asked or recorded. */
export type NoActionResult =
  | { readonly kind: 'NotFound' }
  /** What it is, in words for an operator. */
  | { readonly kind: 'KnownAlready'; readonly what: string }
  /** The first inquiry is not due: somebody may still wait for the answer. RFC 3339, real time. */
  | { readonly kind: 'TooEarly'; readonly firstInquiryAt: string }
  /** An inquiry is under way. */
  | { readonly kind: 'InHand' }
  /** Others were faster each time. */
  | { readonly kind: 'Contended' };

export interface UnknownOutcomesSummary {
  /** Counted up to `MOST_UNKNOWN_COUNTED`. */
  readonly open: number;
  /** Service's clock, ms since the oldest became unknown; absent where there is none. */
  readonly oldestAgeMs?: number;
  /** Approvals of what was closed as "did not happen", over all of history. */
  readonly lateApprovals: number;
}

export const MOST_UNKNOWN_COUNTED = 10_000;
