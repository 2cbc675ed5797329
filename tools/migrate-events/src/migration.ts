import {
  ChainVerifier,
  EventStoreError,
  UnreadableEvent,
  type AllPage,
  type BrokenLink,
  type EventStore,
  type ReadAllOptions,
} from '@tillstream/event-store';
import { formatCount, type ProgressBar } from '@tillstream/platform/command-line';
import { copyEvents } from './event.copy.js';
import { compareLogs, named } from './log.comparison.js';
import { knownCount, LogCursor, walkToEnd } from './log.cursor.js';
import { orderedWriterFor, type OrderedWriter } from './ordered.writer.js';
import { withRetries, type RetryPolicy } from './call.retry.js';

export interface MigrationOptions {
  /** Compares the stores and writes nothing. */
  readonly verifyOnly: boolean;
  readonly retryForMs: number;
  /** Ends the run after the current append. */
  readonly signal: AbortSignal;
  readonly progress: ProgressBar;
}

/** Events that this run has handled. */
interface Tally {
  /** Events of the target before this run, equal to the source's. */
  present: number;
  /** Events that this run wrote; more may be durable if the last result was lost. */
  copied: number;
  /** Events of the source at the start; undefined while they are counted. */
  total: number | undefined;
}

type Ending =
  | { readonly kind: 'Done'; readonly streams: number }
  /** All is copied and verified, and the source has grown during the run. */
  | { readonly kind: 'Grown'; readonly streams: number; readonly added: number }
  /** The target is no prefix of the source, and nothing was written. With verify-only: they are not equal. */
  | { readonly kind: 'Differs'; readonly difference: string }
  /** All was written, and the target reads back differently. */
  | { readonly kind: 'Miscopied'; readonly difference: string }
  | { readonly kind: 'Broken'; readonly link: BrokenLink }
  | { readonly kind: 'Failed'; readonly reason: string }
  | { readonly kind: 'Interrupted' };

export type MigrationOutcome = Ending & Readonly<Tally>;

/**
 * Makes the target's log equal to the source's log as it is at the start, and reads it back. The target must hold a prefix
 * of the source: an interrupted run continues after that prefix and keeps no other state.
 */
export class Migration {
  readonly #tally: Tally = { present: 0, copied: 0, total: undefined };
  readonly #writer: OrderedWriter;

  constructor(
    private readonly source: EventStore,
    private readonly target: EventStore,
    private readonly options: MigrationOptions,
  ) {
    this.#writer = orderedWriterFor(target, this.#retryPolicy('target'));
  }

  /** Never rejects: an error is an outcome, with the events that were copied before it. */
  async run(): Promise<MigrationOutcome> {
    const { signal, progress, verifyOnly } = this.options;
    const ending = await (verifyOnly ? this.#compare() : this.#migrate()).catch((error: unknown): Ending => {
      if (signal.aborted) return { kind: 'Interrupted' };
      if (error instanceof UnreadableEvent) return { kind: 'Broken', link: error.link };
      return { kind: 'Failed', reason: reasonOf(error) };
    });
    progress.stop();
    return { ...ending, ...this.#tally };
  }

  async #migrate(): Promise<Ending> {
    const { progress } = this.options;
    const total = await this.#countSource();
    const { source, chains, meeting } = await this.#walk('Comparing', knownCount(this.target));
    this.#tally.present = source.passed;
    if (meeting.kind === 'Differs' || meeting.kind === 'Broken') return meeting;
    // The comparison has read all of the target just now.
    if (meeting.kind === 'Equal') return { kind: 'Done', streams: chains.counts.streams };

    const limit = Math.max(0, total - source.passed);
    progress.start('Copying', limit);
    const onWritten = (events: number): void => {
      this.#tally.copied += events;
      progress.add(events);
    };
    const link = await copyEvents({ source, chains, writer: this.#writer, limit, onWritten });
    if (link !== undefined) return { kind: 'Broken', link };
    return this.#readBack(chains.counts);
  }

  /** Compares both logs again from the beginning: what the target holds, not what it was given to write. */
  async #readBack(due: ChainVerifier['counts']): Promise<Ending> {
    const { source, chains, meeting } = await this.#walk('Verifying', due.events);
    const { streams, events } = chains.counts;
    const miscopied = (difference: string): Ending => ({ kind: 'Miscopied', difference });
    if (meeting.kind === 'Differs') return miscopied(meeting.difference);
    if (meeting.kind === 'Broken') return miscopied(`event ${meeting.link.id}: ${meeting.link.problem}`);
    if (events !== due.events || streams !== due.streams)
      return miscopied(`it should be ${counted(due)}, and ${counted(chains.counts)} were read back`);
    const added = await walkToEnd(source);
    return added > 0 ? { kind: 'Grown', streams, added } : { kind: 'Done', streams };
  }

  async #compare(): Promise<Ending> {
    const total = (this.#tally.total = knownCount(this.source));
    const { source, chains, meeting } = await this.#walk('Comparing', total, (events) => {
      this.#tally.present += events;
    });
    if (meeting.kind === 'Equal') return { kind: 'Done', streams: chains.counts.streams };
    if (meeting.kind !== 'TargetEnds') return meeting;
    const missing = await walkToEnd(source);
    const difference = `after ${formatCount(this.#tally.present)} events the target ends; the source has ${formatCount(missing)} more, first ${named(meeting.next)}`;
    return { kind: 'Differs', difference };
  }

  /** Walks both logs from their beginning to the first difference, and checks the chains of the events before it. */
  async #walk(phase: string, total: number | undefined, onEqual?: (events: number) => void) {
    const { progress } = this.options;
    const source = this.#cursor(this.source, 'source');
    const target = this.#cursor(this.target, 'target');
    const chains = new ChainVerifier();
    progress.start(phase, total);
    const meeting = await compareLogs(
      source,
      target,
      (event) => chains.check(event),
      (events) => {
        onEqual?.(events);
        progress.add(events);
      },
    );
    return { source, chains, meeting };
  }

  /**
   * Reads the log once to its end if the store can't count: in general, positions give an order and no count. This costs
   * little beside copying, and gives the run a fixed end.
   */
  async #countSource(): Promise<number> {
    const { progress } = this.options;
    let total = knownCount(this.source);
    if (total === undefined) {
      progress.start('Counting');
      total = await walkToEnd(this.#cursor(this.source, 'source'), (events) => progress.add(events));
    }
    this.#tally.total = total;
    return total;
  }

  #cursor(store: EventStore, name: string): LogCursor {
    const retryPolicy = this.#retryPolicy(name);
    const read = (options: ReadAllOptions): Promise<AllPage> =>
      withRetries(() => store.readAll(options), retryPolicy);
    return new LogCursor(
      store === this.target ? (options) => read(options).catch(damagedTarget) : read,
      this.options.signal,
    );
  }

  #retryPolicy(name: string): RetryPolicy {
    const { retryForMs, signal, progress } = this.options;
    return {
      retryForMs,
      signal,
      onRetry: (reason) => progress.log(`The ${name} can not be used now: ${reason}. Trying again.`),
    };
  }
}

function damagedTarget(error: unknown): never {
  if (!(error instanceof UnreadableEvent)) throw error;
  throw new Error(`The target is damaged at ${error.message}`, { cause: error });
}

function counted({ events, streams }: ChainVerifier['counts']): string {
  return `${formatCount(events)} events in ${formatCount(streams)} streams`;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const unsure = error instanceof EventStoreError && error.code === 'Unknown';
  return `${error.message}${unsure ? ' (the last append may be written)' : ''}`;
}
