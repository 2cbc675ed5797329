import {
  type Decision,
  type EventCodec,
  batchCodec,
  foldBatch,
  foldHolder,
  foldMerchant,
  foldPayment,
  foldToken,
  holderCodec,
  merchantCodec,
  paymentCodec,
  tokenCodec,
  type BatchEvent,
  type BatchRejection,
  type BatchState,
  type HolderEvent,
  type HolderRejection,
  type HolderState,
  type MerchantEvent,
  type MerchantRejection,
  type MerchantState,
  type OperationId,
  type PaymentEvent,
  type PaymentState,
  type PaymentRejection,
  type TokenEvent,
  type TokenRejection,
  type TokenState,
  type NoticeState,
  type NoticeEvent,
  noticeCodec,
  foldSettlement,
  foldSettlementPage,
  settlementCodec,
  settlementPageCodec,
  type SettlementEvent,
  type SettlementPageEvent,
  type SettlementPageState,
  type SettlementRejection,
  type SettlementState,
  foldNotice,
} from '@tillstream/domain';
import {
  readWholeStream,
  transact,
  type Append,
  type AppendResult,
  type RecordedEvent,
} from '@tillstream/event-store';
import { fromRecorded, toNewEvents, type Cause, type StreamEvent } from './event-metadata.js';
import { RecentStreams, type RecentStreamsLimits } from './recent-streams.js';
import type { Ports } from '../parts.js';

/** A stream, its events, and the state that follows from them. */
export interface LoadedStream<State> {
  readonly stream: string;
  readonly history: readonly RecordedEvent[];
  readonly state: State;
}

/** A stream that has events. */
export type StoredStream<State> = LoadedStream<Exclude<State, { readonly status: 'None' }>>;

export function isStored<State extends { readonly status: string }>(
  loaded: LoadedStream<State>,
): loaded is StoredStream<State> {
  return loaded.state.status !== 'None';
}

/** @throws Error: the stream has no events, although its caller read or wrote some before */
export function requireStored<State extends { readonly status: string }>(
  state: State,
): Exclude<State, { readonly status: 'None' }> {
  if (state.status === 'None') throw new Error('the stream has no events');
  return state as Exclude<State, { readonly status: 'None' }>;
}

export type WriteResult<State, Event, Rejection, Value> =
  | {
      readonly kind: 'Written';
      readonly loaded: LoadedStream<State>;
      /** Empty if the decision changed nothing. */
      readonly events: readonly Event[];
      readonly value: Value;
    }
  | { readonly kind: 'Rejected'; readonly rejection: Rejection }
  /** Another writer changed the stream before each append. Nothing was written. */
  | { readonly kind: 'Contended' };

interface WriteOptions {
  /** How many decisions to make at most. Default: 4. */
  readonly decisionsMax?: number;
  readonly append?: (append: Append) => Promise<AppendResult>;
}

interface Folded<State, Event extends StreamEvent> {
  readonly codec: EventCodec<Event>;
  fold(events: Iterable<Event>, from?: State): State;
}

const ATTEMPTS = 4;

/** `decisionsMax` of a received fact: it is appended after every conflict, however many there are. */
export const UNTIL_WRITTEN = Number.POSITIVE_INFINITY;

/** Loads a stream, decides and appends, and decides again after a conflict. One repository for each category of streams. */
export class StreamRepository<State, Event extends StreamEvent, Rejection, Value = undefined> {
  constructor(
    private readonly ports: Pick<Ports, 'store' | 'clock'>,
    private readonly folded: Folded<State, Event>,
    private readonly recent?: RecentStreams<State>,
  ) {}

  async load(stream: string): Promise<LoadedStream<State>> {
    const known = this.recent?.find(stream) ?? this.emptyStream(stream);
    const read = await readWholeStream(this.ports.store, stream, known.history.length);
    if (read.length === 0) return known;
    const loaded = this.foldNext(known, read);
    this.recent?.keep(loaded);
    return loaded;
  }

  /** A new stream, without a read. */
  emptyStream(stream: string): LoadedStream<State> {
    return { stream, history: [], state: this.folded.fold([]) };
  }

  /**
   * `target`: the stream's name, or the stream as the caller loaded it, which saves a read.
   * @throws EventStoreError `Unavailable`: nothing was written; `Unknown`: the events may have been written
   */
  async transact(
    target: string | LoadedStream<State>,
    cause: Cause,
    decide: (state: State, history: readonly RecordedEvent[]) => Decision<Event, Rejection, Value>,
    options: WriteOptions = {},
  ): Promise<WriteResult<State, Event, Rejection, Value>> {
    const { codec, fold } = this.folded;
    let known = typeof target === 'string' ? await this.load(target) : target;
    const { stream } = known;
    const result = await transact(this.ports.store, {
      ...{ stream, ...options, knownHistory: known.history },
      decide: (history) => {
        known = this.foldNext(known, history.slice(known.history.length));
        const decision = decide(known.state, history);
        const events = decision.kind === 'Accepted' ? decision.events : [];
        return { events: toNewEvents(codec, events, cause, this.ports.clock), value: { known, decision } };
      },
    });
    if (result.kind === 'Conflict') return { kind: 'Contended' };
    const { state } = result.value.known;
    const { decision } = result.value;
    if (decision.kind === 'Rejected') return decision;
    const { events, value } = decision;
    return {
      kind: 'Written',
      loaded: { stream, history: result.history, state: fold(events, state) },
      events,
      value,
    };
  }

  /**
   * For a decision that needs asynchronous work, such as sealing. The append expects the revision that the work started
   * from; after a conflict the work is done again.
   */
  async transactPrepared<Result extends { readonly kind: string }>(
    known: LoadedStream<State>,
    prepare: (state: State) => Promise<(state: State) => Decision<Event, Rejection, Value>>,
    writeOnce: (
      known: LoadedStream<State>,
      decide: (state: State) => Decision<Event, Rejection, Value>,
    ) => Promise<Result>,
  ): Promise<Result> {
    let loaded = known;
    for (let attempt = 1; ; attempt++) {
      const written = await writeOnce(loaded, await prepare(loaded.state));
      if (written.kind !== 'Contended' || attempt >= ATTEMPTS) return written;
      loaded = await this.load(loaded.stream);
    }
  }

  private foldNext(known: LoadedStream<State>, next: readonly RecordedEvent[]): LoadedStream<State> {
    if (next.length === 0) return known;
    const { codec, fold } = this.folded;
    const events = next.map((recorded) => fromRecorded(codec, recorded));
    return { stream: known.stream, history: [...known.history, ...next], state: fold(events, known.state) };
  }
}

/* The value of a decision on a payment or token is the id of the operation that it is about. */

export type LoadedPayment = LoadedStream<PaymentState>;
export type PaymentWriteResult = WriteResult<PaymentState, PaymentEvent, PaymentRejection, OperationId>;
export type PaymentRepository = StreamRepository<PaymentState, PaymentEvent, PaymentRejection, OperationId>;

export type LoadedToken = LoadedStream<TokenState>;
export type StoredToken = StoredStream<TokenState>;
export type TokenRepository = StreamRepository<TokenState, TokenEvent, TokenRejection, OperationId>;

export type LoadedHolder = LoadedStream<HolderState>;
export type HolderStreamWriteResult = WriteResult<HolderState, HolderEvent, HolderRejection, undefined>;
export type HolderRepository = StreamRepository<HolderState, HolderEvent, HolderRejection>;

export type MerchantStreams = StreamRepository<MerchantState, MerchantEvent, MerchantRejection>;

export type LoadedBatch = LoadedStream<BatchState>;
export type BatchRepository = StreamRepository<BatchState, BatchEvent, BatchRejection>;

export type LoadedSettlement = LoadedStream<SettlementState>;
export type SettlementRepository = StreamRepository<SettlementState, SettlementEvent, SettlementRejection>;
export type SettlementPageRepository = StreamRepository<SettlementPageState, SettlementPageEvent, never>;

export type NoticeRepository = StreamRepository<NoticeState, NoticeEvent, never>;

/** About 4 MB: a token has few events, and some tokens are used all the time. */
const RECENT_TOKENS: RecentStreamsLimits = { eventsMax: 4_000 };
/** About 20 MB. A payment with hundreds of operations would else be read and folded again for each of them. */
const RECENT_PAYMENTS: RecentStreamsLimits = { eventsMax: 10_000, historyMin: 50 };

/** About 10 MB. A holder with many tokens has an event for each. */
const RECENT_HOLDERS: RecentStreamsLimits = { eventsMax: 10_000, historyMin: 20 };
/** About 40 MB. The merchant of each request is read every 2 s, and may have thousands of terminals. */
const RECENT_MERCHANTS: RecentStreamsLimits = { eventsMax: 60_000, historyMin: 50 };

type StorePorts = Pick<Ports, 'store' | 'clock'>;

export function createBatchRepository(ports: StorePorts): BatchRepository {
  return new StreamRepository(ports, { codec: batchCodec, fold: foldBatch });
}

export function createPaymentRepository(ports: StorePorts): PaymentRepository {
  const recent = new RecentStreams<PaymentState>(RECENT_PAYMENTS);
  return new StreamRepository(ports, { codec: paymentCodec, fold: foldPayment }, recent);
}

export function createTokenRepository(ports: StorePorts): TokenRepository {
  const recent = new RecentStreams<TokenState>(RECENT_TOKENS);
  return new StreamRepository(ports, { codec: tokenCodec, fold: foldToken }, recent);
}

export function createHolderRepository(ports: StorePorts): HolderRepository {
  const recent = new RecentStreams<HolderState>(RECENT_HOLDERS);
  return new StreamRepository(ports, { codec: holderCodec, fold: foldHolder }, recent);
}

export function createMerchantStreams(ports: StorePorts): MerchantStreams {
  const recent = new RecentStreams<MerchantState>(RECENT_MERCHANTS);
  return new StreamRepository(ports, { codec: merchantCodec, fold: foldMerchant }, recent);
}

export function createSettlementRepository(ports: StorePorts): SettlementRepository {
  return new StreamRepository(ports, { codec: settlementCodec, fold: foldSettlement });
}

export function createSettlementPageRepository(ports: StorePorts): SettlementPageRepository {
  return new StreamRepository(ports, { codec: settlementPageCodec, fold: foldSettlementPage });
}

export function createNoticeRepository(ports: StorePorts): NoticeRepository {
  return new StreamRepository(ports, { codec: noticeCodec, fold: foldNotice });
}
