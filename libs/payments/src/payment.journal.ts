import {
  foldPayment,
  paymentCodec,
  type OperationId,
  type PaymentDecision,
  type PaymentEvent,
  type PaymentState,
  type Refusal,
} from '@tillstream/domain';
import {
  readWholeStream,
  transact,
  type Append,
  type AppendResult,
  type EventStore,
  type RecordedEvent,
} from '@tillstream/event-store';
import type { Clock } from './clock.port.js';
import { fromRecorded, toNewEvents, type Cause } from './event-metadata.js';

/** A payment as its stream tells it, with the stream itself: what the next decision starts from. */
export interface LoadedPayment {
  readonly stream: string;
  readonly history: readonly RecordedEvent[];
  readonly state: PaymentState;
}

export type Written =
  | {
      readonly kind: 'Written';
      readonly operationId: OperationId;
      readonly payment: LoadedPayment;
      readonly events: readonly PaymentEvent[];
    }
  | { readonly kind: 'Refused'; readonly refusal: Refusal }
  /** Others were faster each time; nothing was written. */
  | { readonly kind: 'Contended' };

export interface WriteOptions {
  /** What is known of the stream already: saves a read. */
  readonly known?: LoadedPayment;
  /** Decisions at most; left out: 4. */
  readonly attempts?: number;
  readonly append?: (append: Append) => Promise<AppendResult>;
}

/** Load, decide, append: the one way to a payment's stream. */
export class PaymentJournal {
  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
  ) {}

  async load(stream: string): Promise<LoadedPayment> {
    return asLoaded(stream, await readWholeStream(this.store, stream));
  }

  /** Rejects as the store does: `Unavailable` wrote nothing, `Unknown` may have. */
  async write(
    stream: string,
    cause: Cause,
    decide: (state: PaymentState) => PaymentDecision,
    options: WriteOptions = {},
  ): Promise<Written> {
    const { known, ...transaction } = options;
    const result = await transact(this.store, {
      stream,
      ...transaction,
      ...(known && { known: known.history }),
      decide: (history) => {
        const state = history === known?.history ? known.state : asLoaded(stream, history).state;
        const decision = decide(state);
        const events = decision.kind === 'Accepted' ? decision.events : [];
        return { events: toNewEvents(paymentCodec, events, cause, this.clock), value: { state, decision } };
      },
    });
    if (result.kind === 'Conflict') return { kind: 'Contended' };
    const { state, decision } = result.value;
    if (decision.kind === 'Refused') return decision;
    const { events, value: operationId } = decision;
    const payment = { stream, history: result.history, state: foldPayment(events, state) };
    return { kind: 'Written', operationId, payment, events };
  }
}

export function newPayment(stream: string): LoadedPayment {
  return asLoaded(stream, []);
}

function asLoaded(stream: string, history: readonly RecordedEvent[]): LoadedPayment {
  return {
    stream,
    history,
    state: foldPayment(history.map((recorded) => fromRecorded(paymentCodec, recorded))),
  };
}
