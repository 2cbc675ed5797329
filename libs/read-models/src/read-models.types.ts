import type { TransactionStatus, TransactionType } from '@tillstream/contracts';
import type { Channel } from '@tillstream/domain';
import type { Leases } from '@tillstream/event-consumers';
import type { Position, RecordedEvent } from '@tillstream/event-store';
import type { BatchQueries } from './batch.queries.types.js';
import type {
  FeeChargeFilters,
  FeeChargeSort,
  SettledTransactionFilters,
  SettledTransactionSort,
  SettlementFilters,
  SettlementSort,
} from './settlement-list.types.js';
import type {
  CheckResult,
  ProjectionStatus,
  RebuildOptions,
  RebuildResult,
  RunningRebuild,
} from './rebuild.types.js';

/** One of `PROJECTIONS`. */
export type ProjectionName = string;

/** Log for operators. `failed` needs an operator; what `warn` reports is repaired automatically; `info` is routine. */
export interface ReadModelsLog {
  info(event: string, fields: Readonly<Record<string, unknown>>): void;
  warn(event: string, fields: Readonly<Record<string, unknown>>): void;
  failed(event: string, fields: Readonly<Record<string, unknown>>): void;
}

export interface ReadModels {
  readonly writer: ReadModelWriter;
  readonly queries: ReadModelQueries;
  readonly batches: BatchQueries;
  /** Shared by all processes on the directory. They prevent duplicate work; correctness does not depend on them. */
  readonly leases: Leases;
  /** Starts to project in the background, and to rebuild the generations that an older version of the program made. */
  start(): Promise<void>;
  /** Writes the accepted rows, then closes all files. */
  stop(): Promise<void>;
  /**
   * Makes a new generation beside the live one, and swaps when it has caught up. Rejects with `RebuildRefused` if another
   * rebuild of the projection is running, and with the signal's reason when it aborts; the live generation is unchanged.
   */
  rebuild(projection: ProjectionName, options?: RebuildOptions): Promise<RebuildResult>;
  /**
   * Proves that the live rows equal those that history gives: rebuilds beside the live generation, compares row by row
   * and leaves it unchanged. Rejects like `rebuild`. For a command; runs on the calling thread.
   */
  check(projection: ProjectionName, options?: RebuildOptions): Promise<CheckResult>;
  /** The rebuilds that run in this process, with how far they are; at most a second late. For metrics. */
  runningRebuilds(): readonly RunningRebuild[];
  /** For `GET /projections`. */
  status(): Promise<readonly ProjectionStatus[]>;
  /**
   * Resolves when every projection has handled all events up to `head` (default: the store's head at the call), or has
   * halted. The process that appends a later event writes its rows through, so a start need not wait for a moving head.
   */
  waitUntilCaughtUp(head?: Position): Promise<void>;
}

/** A stream as its writer knows it after an append. */
export interface WrittenStream {
  readonly stream: string;
  /** Of the whole stream, up to the last of `events`. */
  readonly state: unknown;
  /** All events of the stream, so that this call also writes rows that an earlier call could not write. */
  readonly events: readonly WrittenEvent[];
}

export type WrittenEvent = Pick<RecordedEvent, 'type' | 'data' | 'revision'>;

export interface ReadModelWriter {
  /**
   * Call it after the append, and respond to the client when it resolves: from then on every list on every instance shows
   * these events. Never rejects: a row that can't be written is logged, and the projector writes it later.
   */
  writeThrough(category: string, written: WrittenStream): Promise<void>;
}

export interface ReadModelQueries {
  readonly transactions: {
    list(request: ListRequest<TransactionFilters, TransactionSort>): Promise<List<TransactionItem>>;
  };
  readonly tokens: {
    /** The tokens of one holder. */
    list(
      request: ListRequest<TokenFilters, TimeSort> & { readonly accountHolderId: string },
    ): Promise<List<TokenItem>>;
    /** Facts of the tokens that exist. At most 1000 ids. */
    facts(tokenIds: readonly string[]): Promise<ReadonlyMap<string, ListedTokenFacts>>;
  };
  readonly holders: {
    /** `body` has only `id`, `createdAt` and `updatedAt`, which are not personal. Erased holders are not listed. */
    list(request: ListRequest<HolderFilters, TimeSort>): Promise<List<SealedItem>>;
  };
  readonly paymentMethods: {
    /** Enabled terminals and forms. `body` is a `PaymentMethodListItem`. */
    list(request: ListRequest<PaymentMethodFilters, 'createdAt'>): Promise<List<ListItem>>;
    /** The merchant of a payment method, enabled or disabled; undefined if the id is unknown. */
    merchantOf(paymentMethodId: string): Promise<string | undefined>;
  };
  readonly settlements: {
    /** `body` is a `SettlementSummary`. */
    list(request: ListRequest<SettlementFilters, SettlementSort>): Promise<List<ListItem>>;
    /** A `Settlement` as JSON text; undefined if the merchant has no such settlement. */
    find(merchantId: string, settlementId: string): Promise<string | undefined>;
  };
  readonly settledTransactions: {
    /** `body` is a `SettledTransaction`. */
    list(request: ListRequest<SettledTransactionFilters, SettledTransactionSort>): Promise<List<ListItem>>;
  };
  readonly feeCharges: {
    /** `body` is a `FeeCharge`. Those that are not charged come after all others in the order of `chargedAt`. */
    list(request: ListRequest<FeeChargeFilters, FeeChargeSort>): Promise<List<ListItem>>;
  };
  readonly merchants: {
    /** All merchants, for operators. `body` is a `Merchant` of the contracts. */
    list(request: Omit<ListRequest<MerchantFilters, TimeSort>, 'merchantId'>): Promise<List<ListItem>>;
  };
}

export interface ListRequest<Filters, Sort extends string> {
  readonly merchantId: string;
  readonly filters?: Filters;
  /** Default: the newest first. */
  readonly sort?: { readonly by: Sort; readonly descending: boolean };
  /** `next` of the previous page. Valid only with the same filters and sort; with others the result is undefined. */
  readonly after?: PageKey;
  /** 1 to 100. */
  readonly limit: number;
  readonly includeTotal?: boolean;
}

/** The place of a page's last item. The API encodes it as its cursor. */
export interface PageKey {
  /** The value of the sort column: ms since 1970, or cents (-1 without an amount). */
  readonly value: number;
  readonly id: string;
}

export interface List<Item> {
  readonly items: readonly Item[];
  /** Null on the last page. */
  readonly next: PageKey | null;
  /** Exact up to `TOTAL_COUNT_MAX`. With `isAtLeast` there are more than that. */
  readonly total?: { readonly count: number; readonly isAtLeast: boolean };
}

export const TOTAL_COUNT_MAX = 10_000;

/** Matches any of these values. An empty list matches nothing. */
export type AnyOf<Value> = readonly Value[];

/** Times are RFC 3339; `From` is inclusive, `To` exclusive. */
export interface CreatedRange {
  readonly createdFrom?: string;
  readonly createdTo?: string;
}

export type TransactionSort = 'createdAt' | 'updatedAt' | 'amount';
export type TimeSort = 'createdAt' | 'updatedAt';

/** `docs/spec/lists.md`. */
export interface TransactionFilters extends CreatedRange {
  readonly id?: AnyOf<string>;
  readonly referenceId?: AnyOf<string>;
  readonly originalTransactionId?: AnyOf<string>;
  readonly type?: AnyOf<TransactionType>;
  readonly status?: AnyOf<TransactionStatus>;
  readonly responseCode?: AnyOf<number>;
  readonly paymentMethodId?: AnyOf<string>;
  readonly accountHolderId?: AnyOf<string>;
  readonly invoiceNumber?: AnyOf<string>;
  readonly orderNumber?: AnyOf<string>;
  readonly cardType?: AnyOf<string>;
  readonly currency?: AnyOf<string>;
  readonly batchId?: AnyOf<string>;
  readonly settlementId?: AnyOf<string>;
  /** Cents, both inclusive. Operations without an amount match neither. */
  readonly amountMin?: number;
  readonly amountMax?: number;
  readonly updatedFrom?: string;
  readonly updatedTo?: string;
}

export interface TokenFilters extends CreatedRange {
  readonly type?: AnyOf<string>;
  readonly cardType?: AnyOf<string>;
  readonly accountType?: AnyOf<string>;
  /** Default: false, removed tokens are not listed. */
  readonly includeDeleted?: boolean;
}

export interface HolderFilters extends CreatedRange {
  /** In the form of the holder's stream. */
  readonly externalIdHash?: AnyOf<string>;
}

export interface PaymentMethodFilters {
  readonly type?: AnyOf<string>;
  readonly currency?: AnyOf<string>;
}

export interface MerchantFilters {
  readonly status?: AnyOf<string>;
}

export interface ListItem {
  readonly id: string;
  /** JSON text of the public shape, without personal data. Equal states give equal texts. */
  readonly body: string;
}

/** Sealed personal data as the events hold it. The API opens it. */
export interface SealedPersonal {
  readonly keyId: string;
  readonly iv: string;
  readonly ciphertext: string;
}

export interface SealedItem extends ListItem {
  readonly personal?: SealedPersonal;
}

export interface ListedTokenFacts {
  /** RFC 3339. */
  readonly dateDeleted?: string;
  /**
   * How the token was made. The billing contact of a token made at a terminal is never shown
   * (`docs/spec/payment-methods.md#billing-contact`).
   */
  readonly channel: Channel;
}

/** `body` is a `PresentedResult`, without a later removal of its token. */
export interface TransactionItem extends SealedItem {
  /** Of its payment, or of the request that made its token. */
  readonly channel: Channel;
  /** Set for payments by token and operations on tokens. `tokens.facts` says whether the token was removed. */
  readonly tokenId?: string;
}

/** `body` is a `PaymentMethodDetails`. Removed tokens have no `personal`. */
export interface TokenItem extends SealedItem, ListedTokenFacts {}
