import type { Append, AppendResult, EventStore } from '@tillstream/event-store';
import { SqliteEventStore } from '@tillstream/event-store-sqlite';
import type { Packed } from './append.packing.js';
import { withPatience, type Patience } from './patience.js';

/**
 * Writes appends such that the target's log holds them in their order, whichever of them fails: what is written is
 * always a beginning of what was asked for.
 */
export interface OrderedWriter {
  /**
   * One call at a time. `wrote` is told of events that are durable. Rejects with `TargetMoved`, with the store's error
   * when patience ran out, or with the signal's reason between two appends.
   */
  write(appends: readonly Packed[], wrote: (events: number) => void): Promise<void>;
}

/** Somebody else writes to the target, or an append of an earlier run was committed late. */
export class TargetMoved extends Error {
  override readonly name = 'TargetMoved';
}

type Conflict = Extract<AppendResult, { kind: 'Conflict' }>;

/** Any store: an append goes out when the one before it is definite. */
export class OneByOne implements OrderedWriter {
  constructor(
    private readonly store: Pick<EventStore, 'append'>,
    private readonly patience: Patience,
  ) {}

  async write(appends: readonly Packed[], wrote: (events: number) => void): Promise<void> {
    for (const { append } of appends) {
      this.patience.signal.throwIfAborted();
      const result = await withPatience(() => this.store.append(append), this.patience);
      if (result.kind === 'Conflict') throw moved(append, result);
      wrote(append.events.length);
    }
  }
}

/** Of a unit: a commit of this size takes milliseconds, its fsync included. */
const UNIT_BYTES = 2_097_152;

/**
 * The embedded store, one fsync for many appends. Not as appends on their way at the same time: those may be committed
 * in several groups, and were one of these refused (a full disk, a busy file) and the next written, the order would be
 * lost for good. A unit is written whole or not at all.
 */
export class UnitByUnit implements OrderedWriter {
  constructor(
    private readonly store: Pick<SqliteEventStore, 'execute'>,
    private readonly patience: Patience,
  ) {}

  async write(appends: readonly Packed[], wrote: (events: number) => void): Promise<void> {
    for (const unit of unitsOf(appends)) {
      this.patience.signal.throwIfAborted();
      const steps = unit.map((append) => ({ kind: 'append' as const, append }));
      const result = await withPatience(() => this.store.execute(steps), this.patience);
      if (result.kind === 'Refused') {
        const refused = unit[result.step];
        throw result.because.kind === 'Conflict' && refused !== undefined
          ? moved(refused, result.because)
          : new TargetMoved('the target refused a write');
      }
      wrote(unit.reduce((count, { events }) => count + events.length, 0));
    }
  }
}

export function orderedWriterFor(store: EventStore, patience: Patience): OrderedWriter {
  return store instanceof SqliteEventStore ? new UnitByUnit(store, patience) : new OneByOne(store, patience);
}

function* unitsOf(appends: readonly Packed[]): Generator<Append[]> {
  let unit: Append[] = [];
  let size = 0;
  for (const { append, bytes } of appends) {
    if (unit.length > 0 && size + bytes > UNIT_BYTES) {
      yield unit;
      unit = [];
      size = 0;
    }
    unit.push(append);
    size += bytes;
  }
  if (unit.length > 0) yield unit;
}

function moved({ stream, expected }: Append, { actual }: Conflict): TargetMoved {
  const stands = actual === 'none' ? 'does not exist' : `is at revision ${actual}`;
  const due = expected === 'none' ? 'should not exist' : `should be at ${expected}`;
  return new TargetMoved(`stream ${stream} ${stands} in the target and ${due}: something else wrote there`);
}
