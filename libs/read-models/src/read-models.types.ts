import type { TransactionStatus, TransactionType } from '@tillstream/contracts';
import type { Channel } from '@tillstream/domain';
import type { Leases } from '@tillstream/event-consumers';
import type { Position, RecordedEvent } from '@tillstream/event-store';
import type { BatchQueries } from './batch.queries.types.js';
import type { CheckResult, ProjectionStatus, RebuildOptions, RebuildResult } from './rebuild.types.js';

/* What the API, the tools and the platform see of this library. */

export * from './batch.queries.types.js';
export * from './rebuild.types.js';

export { PROJECTIONS } from './projections/projection.registry.js';

/** One of `PROJECTIONS`. */
export type ProjectionName = string;

/** Told what an operator should know. `failed` needs somebody; `warn` is mended by itself; `info` is usual. */
export interface ReadModelsLog {
  info(event: string, fields: Readonly<Record<string, unknown>>): void;
  warn(event: string, fields: Readonly<Record<string, unknown>>): void;
  failed(event: string, fields: Readonly<Record<string, unknown>>): void;
}

export interface ReadModels {
  readonly writer: ReadModelWriter;
  readonly queries: ReadModelQueries;
  readonly batches: BatchQueries;
  /** Who does what, for all processes on the directory: they only keep work from being done twice. */
  readonly leases: Leases;
  /** Begins to project in the background, and to rebuild what another version of this program made. */
  start(): Promise<void>;
  /** Writes what was accepted and closes all files. */
  stop(): Promise<void>;
  /**
   * Makes a new generation beside the live one, and swaps when it has caught up. Rejects with `RebuildRefused` where
   * another rebuild of it is running, and with the signal's reason where that ended it; the live one is as it was.
   */
  rebuild(projection: ProjectionName, options?: RebuildOptions): Promise<RebuildResult>;
  /**
   * Proves that what was written as it came equals what history gives: rebuilds beside, compares row by row, and leaves
   * the live generation as it is. Refused and aborted like `rebuild`. For a command; runs on the calling thread.
   */
  check(projection: ProjectionName, options?: RebuildOptions): Promise<CheckResult>;
  /** For `GET /projections`. */
  status(): Promise<readonly ProjectionStatus[]>;
  /**
   * Resolves when every projection has handled all events up to `head` (left out: the store's when this is called), or has
   * halted. What is appended later is written through by its appender: a start need not wait for a head that moves.
   */
  waitUntilCaughtUp(head?: Position): Promise<void>;
}

/** A stream as its writer knows it after an append. */
export interface WrittenStream {
  readonly stream: string;
  /** Of the whole stream, up to the last of `events`. */
  readonly state: unknown;
  /** All events of the stream: rows that an earlier call could not write are made up for. */
  readonly events: readonly WrittenEvent[];
}

export type WrittenEvent = Pick<RecordedEvent, 'type' | 'data' | 'revision'>;

export interface ReadModelWriter {
  /**
   * Call it after the append and wait for it before you answer: from then on every list shows what these events did,
   * on every instance. Never rejects: a row that can't be written is logged, and the projector writes it later.
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
    /** Of those that exist. At most 1000 ids. */
    facts(tokenIds: readonly string[]): Promise<ReadonlyMap<string, ListedTokenFacts>>;
  };
  readonly holders: {
    /** `body` has what is not personal: `id`, `createdAt`, `updatedAt`. Erased ones are not listed. */
    list(request: ListRequest<HolderFilters, TimeSort>): Promise<List<SealedItem>>;
  };
  readonly paymentMethods: {
    /** Terminals and forms that are not disabled. `body` is a `PaymentMethodListItem`. */
    list(request: ListRequest<PaymentMethodFilters, 'createdAt'>): Promise<List<ListItem>>;
    /** Whose it is, disabled or not; undefined: nobody's. */
    merchantOf(paymentMethodId: string): Promise<string | undefined>;
  };
  readonly merchants: {
    /** All of them, for operators. `body` is a `Merchant` of the contracts. */
    list(request: Omit<ListRequest<MerchantFilters, TimeSort>, 'merchantId'>): Promise<List<ListItem>>;
  };
}

export interface ListRequest<Filters, Sort extends string> {
  readonly merchantId: string;
  readonly filters?: Filters;
  /** Left out: the newest first. */
  readonly sort?: { readonly by: Sort; readonly descending: boolean };
  /** `next` of the page before. Only for the same filters and sort: what else is asked with it gives nonsense. */
  readonly after?: PageKey;
  /** 1 to 100. */
  readonly limit: number;
  readonly includeTotal?: boolean;
}

/** The place of a page's last item: the API makes its cursor of it. */
export interface PageKey {
  /** Of the sort: ms since 1970, or cents (-1 where there is no amount). */
  readonly value: number;
  readonly id: string;
}

export interface List<Item> {
  readonly items: readonly Item[];
  /** Null on the last page. */
  readonly next: PageKey | null;
  /** Exact up to `TOTAL_COUNT_MAX`; that number stands for more where `isAtLeast`. */
  readonly total?: { readonly count: number; readonly isAtLeast: boolean };
}

export const TOTAL_COUNT_MAX = 10_000;

/** Any of these values. An empty list matches nothing. */
export type AnyOf<Value> = readonly Value[];

/** Bounds of times are RFC 3339; `From` is inclusive, `To` exclusive. */
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
  /** Left out: removed ones are not listed. */
  readonly includeDeleted?: boolean;
}

export interface HolderFilters extends CreatedRange {
  /** As the holder's stream keeps them. */
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
  /** JSON text of the public shape, as equal state always gives it; personal data is never in it. */
  readonly body: string;
}

/** Ciphertext of personal data as the events hold it, for the API to open. */
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
   * How it was made: billing contacts of those made at a terminal are never shown
   * (`docs/spec/payment-methods.md#billing-contact`).
   */
  readonly channel: Channel;
}

/** `body` is a `StreamTransactionResult`, without the later removal of its token. */
export interface TransactionItem extends SealedItem {
  /** Of its payment, or of its token's making. */
  readonly channel: Channel;
  /** Of payments by token and of operations on tokens: ask `tokens.facts` whether it was removed. */
  readonly tokenId?: string;
}

/** `body` is a `PaymentMethodDetails`; removed ones have no `personal`. */
export interface TokenItem extends SealedItem, ListedTokenFacts {}
