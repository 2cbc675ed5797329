import {
  EventStoreError,
  type AllPage,
  type Append,
  type AppendResult,
  type EventStore,
  type HeadersPage,
  type Position,
  type ReadAllOptions,
  type ReadStreamOptions,
  type StreamPage,
  type SubscribeToAllOptions,
  type Subscriber,
  type Subscription,
} from '@tillstream/event-store';
import { setTimeout } from 'node:timers/promises';

export type AppendFault =
  /** Rejects with Unavailable; nothing is written. */
  | { readonly kind: 'Unavailable' }
  /** Rejects with Unknown; `written`: after the append was written. */
  | { readonly kind: 'LoseAnswer'; readonly written: boolean }
  /** Appends after `ms`. */
  | { readonly kind: 'Delay'; readonly ms: number }
  /** Answers Conflict; nothing is written. */
  | { readonly kind: 'Conflict' };

export interface FaultOptions {
  /** The number of appends in turn that have the fault. Left out: 1. */
  readonly times?: number;
  /** Only appends that match have the fault. */
  readonly when?: (append: Append) => boolean;
  /** Runs before the fault, for example the append of a faster writer. */
  readonly before?: () => unknown;
}

/** Any store with faults on command, for tests of code that appends. */
export class FaultyEventStore implements EventStore {
  /** Every requested append in order, with or without a fault. */
  readonly appends: Append[] = [];
  /** Appends requested while the store is frozen. */
  #held: Append[] | undefined;
  readonly #faults: { readonly fault: AppendFault; readonly options: FaultOptions; left: number }[] = [];

  constructor(private readonly inner: EventStore) {}

  /** Several faults apply one after another, in the order of injection. */
  inject(fault: AppendFault, options: FaultOptions = {}): void {
    this.#faults.push({ fault, options, left: options.times ?? 1 });
  }

  /** Removes the faults. */
  clearFaults(): void {
    this.#faults.length = 0;
  }

  /** From now on reads reject with `Unavailable`. Appends reject with `Unknown` and are written by `thaw`. */
  freeze(): void {
    this.#held ??= [];
  }

  /** Writes the held appends in order, as a server does that continues. */
  async thaw(): Promise<void> {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const append of held) await this.inner.append(append);
  }

  async append(append: Append): Promise<AppendResult> {
    this.appends.push(append);
    const fault = await this.#next(append);
    if (this.#held) {
      this.#held.push(append);
      throw new EventStoreError('Unknown', 'injected: the store stands still');
    }
    switch (fault?.kind) {
      case undefined:
        return this.inner.append(append);
      case 'Unavailable':
        throw new EventStoreError('Unavailable', 'injected: nothing was written');
      case 'LoseAnswer':
        if (fault.written) await this.inner.append(append);
        throw new EventStoreError('Unknown', 'injected: the answer was lost');
      case 'Delay':
        await setTimeout(fault.ms);
        return this.inner.append(append);
      case 'Conflict':
        return { kind: 'Conflict', actual: await this.#head(append.stream) };
    }
  }

  async readStream(stream: string, options?: ReadStreamOptions): Promise<StreamPage> {
    this.#mustAnswer();
    return this.inner.readStream(stream, options);
  }

  async readAll(options?: ReadAllOptions): Promise<AllPage> {
    this.#mustAnswer();
    return this.inner.readAll(options);
  }

  async readHeaders(options?: ReadAllOptions): Promise<HeadersPage> {
    this.#mustAnswer();
    return this.inner.readHeaders(options);
  }

  async head(): Promise<Position | undefined> {
    this.#mustAnswer();
    return this.inner.head();
  }

  onAppended(listener: () => void): () => void {
    return this.inner.onAppended(listener);
  }

  subscribeToAll(options: SubscribeToAllOptions, subscriber: Subscriber): Subscription {
    return this.inner.subscribeToAll(options, subscriber);
  }

  comparePositions(a: Position, b: Position): -1 | 0 | 1 {
    return this.inner.comparePositions(a, b);
  }

  close(): Promise<void> {
    return this.inner.close();
  }

  #mustAnswer(): void {
    if (this.#held) throw new EventStoreError('Unavailable', 'injected: the store stands still');
  }

  async #next(append: Append): Promise<AppendFault | undefined> {
    const index = this.#faults.findIndex(({ options }) => options.when?.(append) !== false);
    const found = this.#faults[index];
    if (found === undefined) return undefined;
    found.left -= 1;
    if (found.left <= 0) this.#faults.splice(index, 1);
    await found.options.before?.();
    return found.fault;
  }

  async #head(stream: string): Promise<number | 'none'> {
    const { events } = await this.inner.readStream(stream, { direction: 'backwards', limit: 1 });
    return events[0]?.revision ?? 'none';
  }
}
