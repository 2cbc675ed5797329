import {
  batchCodec,
  evolveBatch,
  evolveHolder,
  evolveMerchant,
  evolvePayment,
  evolveSettlement,
  evolveSettlementPage,
  evolveToken,
  holderCodec,
  merchantCodec,
  noBatch,
  noHolder,
  noMerchant,
  noPayment,
  noSettlement,
  noSettlementPage,
  noToken,
  paymentCodec,
  settlementCodec,
  settlementPageCodec,
  tokenCodec,
  type BatchState,
  type Decision,
  type EventCodec,
  type HolderState,
  type MerchantState,
  type PaymentState,
  type SettlementPageState,
  type SettlementState,
  type TokenState,
} from '@tillstream/domain';
import { newEventId, type EventStore, type JsonObject, type RecordedEvent } from '@tillstream/event-store';
import {
  randomHolderDecision,
  MERCHANTS,
  randomPaymentDecision,
  randomTokenDecision,
  type RandomChoice,
} from './random-decisions.testing.js';
import {
  randomBatchDecision,
  randomSettlementDecision,
  randomSettlementPageDecision,
} from './random-settlement-decisions.testing.js';
import { randomMerchantDecision } from './random-merchant-decisions.testing.js';

/** The state of each category's streams. */
interface StreamStates {
  readonly payment: PaymentState;
  readonly token: TokenState;
  readonly holder: HolderState;
  readonly merchant: MerchantState;
  readonly batch: BatchState;
  readonly settlement: SettlementState;
  readonly settlementpage: SettlementPageState;
}
type StreamCategory = keyof StreamStates;

type RandomDecision<State> = (
  state: State,
  at: string,
  choose: RandomChoice,
  name: string,
) => Decision<object, unknown, unknown>;

interface StreamKind<State> {
  readonly initial: State;
  readonly evolve: (state: State, event: never) => State;
  readonly codec: EventCodec<never>;
  readonly name: (number: number) => string;
  readonly randomDecision: RandomDecision<State>;
}

const root = (number: number): string => `01JQ000000000000000${String(number).padStart(4, '0')}`;
const minute = (number: number): string => new Date(Date.UTC(2026, 2, 1) + number * 60_000).toISOString();

const KINDS: { readonly [Category in StreamCategory]: StreamKind<StreamStates[Category]> } = {
  payment: {
    initial: noPayment,
    evolve: evolvePayment as never,
    codec: paymentCodec as never,
    name: (number) => `payment-${root(number)}`,
    randomDecision: randomPaymentDecision,
  },
  token: {
    initial: noToken,
    evolve: evolveToken as never,
    codec: tokenCodec as never,
    name: (number) => `token-${root(number)}`,
    randomDecision: randomTokenDecision,
  },
  holder: {
    initial: noHolder,
    evolve: evolveHolder as never,
    codec: holderCodec as never,
    name: (number) => `holder-${String(number).padStart(26, '0')}`,
    randomDecision: randomHolderDecision,
  },
  merchant: {
    initial: noMerchant,
    evolve: evolveMerchant as never,
    codec: merchantCodec as never,
    name: (number) => `merchant-mer_${number}`,
    randomDecision: randomMerchantDecision,
  },
  batch: {
    initial: noBatch,
    evolve: evolveBatch as never,
    codec: batchCodec as never,
    name: (number) => `batch-${String(number).padStart(26, '0')}`,
    randomDecision: randomBatchDecision,
  },
  settlement: {
    initial: noSettlement,
    evolve: evolveSettlement as never,
    codec: settlementCodec as never,
    name: (number) => `settlement-${String(number).padStart(26, '0')}`,
    randomDecision: randomSettlementDecision,
  },
  settlementpage: {
    initial: noSettlementPage,
    evolve: evolveSettlementPage as never,
    codec: settlementPageCodec as never,
    name: (number) => `settlementpage-${String(number).padStart(26, '0')}.1`,
    randomDecision: randomSettlementPageDecision,
  },
};
const CATEGORIES: readonly StreamCategory[] = [
  'payment',
  'payment',
  'payment',
  'payment',
  'token',
  'holder',
  'merchant',
  'batch',
  'settlement',
  'settlementpage',
];

/** One append of one stream, with the stream's state after it and all its events so far. */
export interface RandomAppend {
  readonly category: StreamCategory;
  readonly stream: string;
  readonly state: unknown;
  readonly events: readonly RecordedEvent[];
  readonly appended: readonly RecordedEvent[];
}

/** Streams of all categories that grow at the same time in one store, with any events that the deciders allow. */
export class RandomHistories {
  readonly #streams = new Map<string, { state: unknown; events: RecordedEvent[] }>();
  #minute = 0;

  constructor(
    private readonly store: Pick<EventStore, 'append'>,
    private readonly choose: RandomChoice,
    private readonly options: {
      readonly streams?: number;
      /** The number of the first stream, so that several instances can use one store. */
      readonly from?: number;
      readonly categories?: readonly StreamCategory[];
    } = {},
  ) {}

  /** Appends random events to one of the streams; undefined if the decider refuses or decides no events. */
  async appendNext(): Promise<RandomAppend | undefined> {
    const { choose } = this;
    const { streams = 6, from = 0, categories = CATEGORIES } = this.options;
    const category = categories[choose(categories.length)] as StreamCategory;
    const kind = KINDS[category] as StreamKind<unknown>;
    const stream = kind.name(from + choose(streams));
    const known = this.#streams.get(stream) ?? { state: kind.initial, events: [] };
    this.#minute += choose(3) === 0 ? choose(5) * 1_440 : choose(3);
    const decision = kind.randomDecision(known.state, minute(this.#minute), choose, stream);
    if (decision.kind === 'Rejected' || decision.events.length === 0) return undefined;
    const codec = kind.codec as unknown as EventCodec<{ type: string; data: object }>;
    const events = (decision.events as { type: string; data: object }[]).map((event) => {
      const { type, schemaVersion, data } = codec.encode(event);
      const metadata = { schemaVersion, merchantId: MERCHANTS[0] };
      return { id: newEventId(), type, data: JSON.parse(JSON.stringify(data)) as JsonObject, metadata };
    });
    const expected = known.events.length === 0 ? ('none' as const) : known.events.length - 1;
    const result = await this.store.append({ stream, expected, events });
    if (result.kind !== 'Appended') throw new Error(`another process appended to ${stream}`);
    const appended = events.map((event, index) => ({
      ...event,
      stream,
      revision: known.events.length + index,
      position: result.position,
    }));
    let { state } = known;
    for (const event of decision.events) state = kind.evolve(state, event as never);
    const after = { state, events: [...known.events, ...appended] };
    this.#streams.set(stream, after);
    return { category, stream, ...after, appended };
  }

  async run(
    steps: number,
    onAppend: (append: RandomAppend) => Promise<void> | void = () => undefined,
  ): Promise<void> {
    for (let step = 0; step < steps; step++) {
      const append = await this.appendNext();
      if (append) await onAppend(append);
    }
  }
}
