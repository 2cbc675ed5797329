import { EventStoreError } from '@tillstream/event-store';
import type { WriteUnitResult } from './write-unit.js';
import type { WriterFailure, WriterResult, SerialisedUnit } from './writer.messages.js';

export interface QueueLimits {
  /** Most units of one group. */
  readonly groupUnitsMax: number;
  readonly groupBytesMax: number;
  /** Most waiting units. Further ones are rejected with `Unavailable`. */
  readonly queueUnitsMax: number;
}

interface QueuedUnit {
  readonly unit: SerialisedUnit;
  readonly bytes: number;
  readonly resolve: (result: WriteUnitResult) => void;
  readonly reject: (error: EventStoreError) => void;
}

/** The thread commits one group while the next is already in its message queue. */
const GROUPS_IN_FLIGHT_MIN = 2;
/** If commits are cheap, the outstanding units go in halves: the main thread prepares one while the thread commits the other. */
const GROUPS_OF_CHEAP_COMMITS = 2;
/**
 * If the main thread only appends, the units go in thirds, so that neither thread waits for the other. During sales the
 * additional messages cost a twelfth of the processor time, more than they save (docs/adr/0030-speed-measures-that-stay.md).
 */
const GROUPS_OF_BUSY_WRITER = 3;
/** Units that settle at shorter intervals come from a process that only appends. */
const FAST_UNIT_MS_MAX = 0.08;
/** Weight of earlier measurements in the moving averages. */
const PAST_WEIGHT = 7 / 8;
/** The least work of the main thread for one unit: the decision, its hashes, its response. */
const MAIN_THREAD_MS_PER_UNIT = 0.05;

/** The units that wait for the writer's thread, and the groups in flight, in order. */
export class GroupQueue {
  #waiting: QueuedUnit[] = [];
  #inFlight: QueuedUnit[][] = [];
  #unitsInFlight = 0;
  /** Average duration of a COMMIT, mostly the fsync. Undefined before the first. */
  #commitMs: number | undefined;
  /** Average time between two settled units. */
  #unitMs: number | undefined;
  #settledAt = Number.NaN;

  /** @param now monotonic time, ms */
  constructor(
    private readonly limits: QueueLimits,
    private readonly now: () => number = () => performance.now(),
  ) {}

  add(unit: SerialisedUnit, bytes: number): Promise<WriteUnitResult> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length < this.limits.queueUnitsMax)
        this.#waiting.push({ unit, bytes, resolve, reject });
      else reject(new EventStoreError('Unavailable', `${this.#waiting.length} units are waiting already`));
    });
  }

  /** The next group to send; from then on it is in flight. Undefined if no group should be sent now. */
  nextGroup(): readonly SerialisedUnit[] | undefined {
    if (this.#waiting.length === 0) return undefined;
    const parts = this.#partCount();
    if (this.#inFlight.length >= Math.max(parts, GROUPS_IN_FLIGHT_MIN)) return undefined;
    const group = this.#waiting.splice(0, this.#nextSize(parts));
    this.#inFlight.push(group);
    this.#unitsInFlight += group.length;
    return group.map((waiting) => waiting.unit);
  }

  /** Settles the oldest group in flight. Returns whether it wrote anything. */
  settle(results: readonly WriterResult[], commitMs: number): boolean {
    const group = this.#inFlight.shift() ?? [];
    this.#unitsInFlight -= group.length;
    this.#commitMs = movingAverage(this.#commitMs, commitMs);
    const now = this.now();
    const sinceLast = now - this.#settledAt;
    if (group.length > 0 && sinceLast >= 0)
      this.#unitMs = movingAverage(this.#unitMs, sinceLast / group.length);
    this.#settledAt = now;
    for (const [index, waiting] of group.entries()) {
      const result = results[index];
      if (result === undefined)
        waiting.reject(new EventStoreError('Unknown', 'the writer returned no result'));
      else if (result.kind === 'Failed') waiting.reject(toEventStoreError(result));
      else waiting.resolve(result);
    }
    return results.some((result) => result.kind === 'Done');
  }

  rejectInFlight(error: EventStoreError): void {
    this.#unitsInFlight = 0;
    for (const waiting of this.#inFlight.splice(0).flat()) waiting.reject(error);
  }

  rejectQueued(error: EventStoreError): void {
    for (const waiting of this.#waiting.splice(0)) waiting.reject(error);
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0 && this.#inFlight.length === 0;
  }

  /** More than 1 if a commit costs less than the work of the main thread. */
  #partCount(): number {
    const isCommitCheap = (this.#commitMs ?? Infinity) < this.#outstanding * MAIN_THREAD_MS_PER_UNIT;
    if (!isCommitCheap) return 1;
    return (this.#unitMs ?? Infinity) < FAST_UNIT_MS_MAX ? GROUPS_OF_BUSY_WRITER : GROUPS_OF_CHEAP_COMMITS;
  }

  get #outstanding(): number {
    return this.#unitsInFlight + this.#waiting.length;
  }

  #nextSize(parts: number): number {
    const unitsMax = Math.min(this.limits.groupUnitsMax, Math.ceil(this.#outstanding / parts));
    let count = 0;
    let bytes = 0;
    for (const waiting of this.#waiting) {
      bytes += waiting.bytes;
      if (count > 0 && (count >= unitsMax || bytes > this.limits.groupBytesMax)) break;
      count += 1;
    }
    return count;
  }
}

function movingAverage(average: number | undefined, value: number): number {
  return (average ?? value) * PAST_WEIGHT + value * (1 - PAST_WEIGHT);
}

export function toEventStoreError(failure: WriterFailure): EventStoreError {
  return new EventStoreError(failure.code, failure.message);
}
