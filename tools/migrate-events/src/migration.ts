import {
  ChainVerifier,
  EventStoreError,
  UnreadableEvent,
  type AllPage,
  type EventStore,
  type ReadAllOptions,
} from '@tillstream/event-store';
import { formatCount, type Progress } from '@tillstream/platform';
import { copyEvents } from './copy-events.js';
import { named } from './event.difference.js';
import { knownCount, walkToEnd } from './event.count.js';
import { LogCursor } from './log.cursor.js';
import type { MigrationOutcome, Tally } from './migration.outcome.js';
import { orderedWriterFor, type OrderedWriter } from './ordered.writer.js';
import { withPatience, type Patience } from './patience.js';
import { walkSideBySide } from './side-by-side.js';

export interface MigrationOptions {
  /** Compare only: nothing is written. */
  readonly verifyOnly: boolean;
  readonly patienceMs: number;
  /** Ends it after the append in hand. */
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

/**
 * Makes the target's log the same as the source's, as it is when this begins, and reads it back. What the target holds
 * must be a beginning of the source: that is how an interrupted run is taken up, and nothing else remembers it.
 */
export class Migration {
  readonly #tally: { -readonly [Key in keyof Tally]: Tally[Key] } = {
    present: 0,
    copied: 0,
    total: undefined,
  };
  readonly #writer: OrderedWriter;

  constructor(
    private readonly source: EventStore,
    private readonly target: EventStore,
    private readonly options: MigrationOptions,
  ) {
    this.#writer = orderedWriterFor(target, this.#patience('target'));
  }

  /** Never rejects: what goes wrong is an outcome, with how far it came. */
  async run(): Promise<MigrationOutcome> {
    const { signal, progress, verifyOnly } = this.options;
    try {
      return verifyOnly ? await this.#compare() : await this.#migrate();
    } catch (error) {
      if (signal.aborted) return { kind: 'Interrupted', ...this.#tally };
      if (error instanceof UnreadableEvent) return { kind: 'Broken', link: error.link, ...this.#tally };
      return { kind: 'Failed', reason: reasonOf(error), ...this.#tally };
    } finally {
      progress.end();
    }
  }

  async #migrate(): Promise<MigrationOutcome> {
    const { progress } = this.options;
    const total = await this.#countSource();
    const { source, chains, meeting } = await this.#walk('Comparing', knownCount(this.target));
    this.#tally.present = source.passed;
    if (meeting.kind === 'Differs' || meeting.kind === 'Broken') return { ...meeting, ...this.#tally };
    // Nothing to write, and all of it was read just now.
    if (meeting.kind === 'Equal') return { kind: 'Done', streams: chains.counts.streams, ...this.#tally };

    const most = Math.max(0, total - source.passed);
    progress.start('Copying', most);
    const wrote = (events: number): void => {
      this.#tally.copied += events;
      progress.add(events);
    };
    const link = await copyEvents({ source, chains, writer: this.#writer, most, wrote });
    if (link !== undefined) return { kind: 'Broken', link, ...this.#tally };
    return this.#readBack(chains.counts);
  }

  /** From the beginning, with other eyes: what is in the target now, not what it was asked to write. */
  async #readBack(due: ChainVerifier['counts']): Promise<MigrationOutcome> {
    const { source, chains, meeting } = await this.#walk('Verifying', due.events);
    const { streams, events } = chains.counts;
    const wrong = (difference: string): MigrationOutcome => ({
      kind: 'Miscopied',
      difference,
      ...this.#tally,
    });
    if (meeting.kind === 'Differs') return wrong(meeting.difference);
    if (meeting.kind === 'Broken') return wrong(`event ${meeting.link.id}: ${meeting.link.problem}`);
    if (events !== due.events || streams !== due.streams)
      return wrong(`it should be ${counted(due)}, and ${counted(chains.counts)} were read back`);
    const added = await walkToEnd(source, () => undefined);
    return added > 0
      ? { kind: 'Grown', streams, added, ...this.#tally }
      : { kind: 'Done', streams, ...this.#tally };
  }

  async #compare(): Promise<MigrationOutcome> {
    const total = (this.#tally.total = knownCount(this.source));
    const { source, chains, meeting } = await this.#walk('Comparing', total, (events) => {
      this.#tally.present += events;
    });
    if (meeting.kind === 'Equal') return { kind: 'Done', streams: chains.counts.streams, ...this.#tally };
    if (meeting.kind !== 'TargetEnds') return { ...meeting, ...this.#tally };
    const missing = await walkToEnd(source, () => undefined);
    const difference = `after ${formatCount(this.#tally.present)} events the target ends; the source has ${formatCount(missing)} more, first ${named(meeting.next)}`;
    return { kind: 'Differs', difference, ...this.#tally };
  }

  /** Both logs from their beginning, to the first difference, with the chains of what is the same in both. */
  async #walk(phase: string, total: number | undefined, same?: (events: number) => void) {
    const { progress } = this.options;
    const source = this.#cursor(this.source, 'source');
    const target = this.#cursor(this.target, 'target');
    const chains = new ChainVerifier();
    progress.start(phase, total);
    const meeting = await walkSideBySide(
      source,
      target,
      (event) => chains.check(event),
      (events) => {
        same?.(events);
        progress.add(events);
      },
    );
    return { source, chains, meeting };
  }

  /**
   * Where the store can't tell, its log is read once to its end: of positions in general nothing is known but their
   * order. It costs a small part of what the copying does, and gives the run an end that does not move.
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
    const patience = this.#patience(name);
    const read = (options: ReadAllOptions): Promise<AllPage> =>
      withPatience(() => store.readAll(options), patience);
    return new LogCursor(
      store === this.target ? (options) => read(options).catch(damagedTarget) : read,
      this.options.signal,
    );
  }

  #patience(name: string): Patience {
    const { patienceMs, signal, progress } = this.options;
    return {
      patienceMs,
      signal,
      waiting: (reason) => progress.print(`The ${name} can not be used now: ${reason}. Trying again.`),
    };
  }
}

/** Not the source's fault, and no difference that could be shown. */
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
