import { foldPayment, type PaymentState } from '@tillstream/domain';
import { transact, type EventStore, type NewEvent, type RecordedEvent } from '@tillstream/event-store';
import {
  eventsOf,
  newEvents,
  newSample,
  outcome,
  request,
  stateOf,
  type SamplePayment,
} from './sample.payment.js';

const CONCURRENCY = 50;

/** A payment that is decided already: two appends to a new stream. */
export interface ReadyPayment {
  readonly stream: string;
  readonly requested: readonly NewEvent[];
  readonly answered: readonly NewEvent[];
}

export interface PaymentRun {
  /** Commands per second, two for each payment. */
  readonly rate: number;
  /** Sizes of the groups that were committed together. */
  readonly sizes: readonly number[];
}

export function readyPayments(count: number): readonly ReadyPayment[] {
  return Array.from({ length: count }, () => {
    const sample = newSample('Sale');
    const asked = request(sample, stateOf([]));
    const answer = outcome(sample, foldPayment(eventsOf(asked)));
    const [requested, answered] = [newEvents(asked, sample), newEvents(answer, sample)];
    return { stream: sample.stream, requested, answered };
  });
}

/** `transact()` with events that are decided already. */
export function writeReady(store: EventStore, payments: readonly ReadyPayment[]): Promise<PaymentRun> {
  return runPayments(payments.length, async (number, answered) => {
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

/** Decides in `transact()` and folds after it, as the stream repository does; known events are not read again. */
export function decideAndWrite(store: EventStore, payments: number): Promise<PaymentRun> {
  return runPayments(payments, async (_number, answered) => {
    const sample = newSample('Sale');
    const requested = await transactDecision(store, sample, request, { history: [], state: stateOf([]) });
    answered();
    await transactDecision(store, sample, outcome, requested);
    answered();
  });
}

interface KnownPayment {
  readonly history: readonly RecordedEvent[];
  readonly state: PaymentState;
}

async function transactDecision(
  store: EventStore,
  sample: SamplePayment,
  decide: typeof request,
  { history: knownHistory, state }: KnownPayment,
): Promise<KnownPayment> {
  const done = await transact(store, {
    stream: sample.stream,
    knownHistory,
    decide: () => {
      const decision = decide(sample, state);
      return { events: newEvents(decision, sample), value: decision };
    },
  });
  const { history, value } = written(done);
  return { history, state: foldPayment(eventsOf(value), state) };
}

function written<T>(result: Awaited<ReturnType<typeof transact<T>>>) {
  if (result.kind !== 'Done') throw new Error('a stream just named has no other writer');
  return result;
}

/** Makes payments with so many clients. `pay` calls `answered` for each command. */
export async function runPayments(
  payments: number,
  pay: (number: number, answered: () => void) => Promise<void>,
  concurrency = CONCURRENCY,
): Promise<PaymentRun> {
  const sizes: number[] = [];
  let group = 0;
  const closeGroup = (): void => {
    if (group > 0) sizes.push(group);
    group = 0;
  };
  // Commands of one group are answered in the same turn, so all that comes before the next tick is one group.
  const answered = (): void => {
    group += 1;
    if (group === 1) process.nextTick(closeGroup);
  };
  let started = 0;
  const client = async (): Promise<void> => {
    while (started < payments) await pay(started++, answered);
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: concurrency }, client));
  const rate = (2 * payments * 1000) / (performance.now() - startedAt);
  closeGroup();
  return { rate, sizes };
}
