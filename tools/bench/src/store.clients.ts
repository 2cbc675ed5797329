import type { PaymentState } from '@tillstream/domain';
import { foldPayment } from '@tillstream/domain';
import { transact, type EventStore, type NewEvent, type RecordedEvent } from '@tillstream/event-store';
import { eventsOf, newEvents, newStory, outcome, request, stateOf, type Story } from './sale.story.js';

/** Clients that each make one payment after another. */
const CONCURRENCY = 50;

/** Two appends to a new stream. */
export interface ReadyPayment {
  readonly stream: string;
  readonly requested: readonly NewEvent[];
  readonly answered: readonly NewEvent[];
}

export interface Pace {
  /** Commands a second: two a payment. */
  readonly rate: number;
  /** How many were answered together, group by group. */
  readonly sizes: readonly number[];
}

export function readyPayments(count: number): readonly ReadyPayment[] {
  return Array.from({ length: count }, () => {
    const story = newStory('Sale');
    const asked = request(story, stateOf([]));
    const answer = outcome(story, foldPayment(eventsOf(asked)));
    return {
      stream: story.stream,
      requested: newEvents(asked, story),
      answered: newEvents(answer, story),
    };
  });
}

/** `transact()` with nothing left to decide. */
export function writeReady(store: EventStore, payments: readonly ReadyPayment[]): Promise<Pace> {
  return paceOf(payments.length, async (number, answered) => {
    const { stream, ...ready } = payments[number] as ReadyPayment;
    const append = async (knownHistory: readonly RecordedEvent[], events: readonly NewEvent[]) => {
      const done = await transact(store, {
        stream,
        knownHistory,
        decide: () => ({ events, value: undefined }),
      });
      answered();
      return written(done).history;
    };
    await append(await append([], ready.requested), ready.answered);
  });
}

/** As the payments' journal does: decided in `transact()`, folded after it; what is known is not read again. */
export function decideAndWrite(store: EventStore, payments: number): Promise<Pace> {
  return paceOf(payments, async (_number, answered) => {
    const story = newStory('Sale');
    const requested = await decided(store, story, request, [], stateOf([]));
    answered();
    await decided(store, story, outcome, requested.history, requested.state);
    answered();
  });
}

async function decided(
  store: EventStore,
  story: Story,
  decide: typeof request,
  knownHistory: readonly RecordedEvent[],
  state: PaymentState,
): Promise<{ readonly history: readonly RecordedEvent[]; readonly state: PaymentState }> {
  const done = await transact(store, {
    stream: story.stream,
    knownHistory,
    decide: () => {
      const decision = decide(story, state);
      return { events: newEvents(decision, story), value: decision };
    },
  });
  const { history, value } = written(done);
  return { history, state: foldPayment(eventsOf(value), state) };
}

function written<T>(result: Awaited<ReturnType<typeof transact<T>>>) {
  if (result.kind !== 'Done') throw new Error('a stream just named has no other writer');
  return result;
}

/** So many payments, by `CONCURRENCY` clients at a time; `answered` is called for each command. */
export async function paceOf(
  payments: number,
  pay: (number: number, answered: () => void) => Promise<void>,
): Promise<Pace> {
  const groups = new GroupSizes();
  let begun = 0;
  const client = async (): Promise<void> => {
    while (begun < payments) await pay(begun++, () => groups.answered());
  };
  const since = performance.now();
  await Promise.all(Array.from({ length: CONCURRENCY }, client));
  return { rate: (2 * payments * 1000) / (performance.now() - since), sizes: groups.finished() };
}

/** Those of one group are answered in one go: whatever comes before the next tick belongs together. */
class GroupSizes {
  readonly #sizes: number[] = [];
  #current = 0;

  answered(): void {
    this.#current += 1;
    if (this.#current === 1) process.nextTick(() => this.#sizes.push(this.#take()));
  }

  finished(): readonly number[] {
    const rest = this.#take();
    return rest > 0 ? [...this.#sizes, rest] : this.#sizes;
  }

  #take(): number {
    const size = this.#current;
    this.#current = 0;
    return size;
  }
}
