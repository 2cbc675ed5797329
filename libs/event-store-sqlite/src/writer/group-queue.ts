import { EventStoreError } from '@tillstream/event-store';
import type { WriteUnitResult } from './write-unit.js';
import type { WriterFailure, WriterResult, SerialisedUnit } from './writer.messages.js';

export interface QueueLimits {
  /** Units per transaction: keeps it at milliseconds, since other processes wait for it. */
  readonly groupUnitsMax: number;
  readonly groupBytesMax: number;
  /** Units that may wait; beyond it new ones are `Unavailable` at once. */
  readonly queueUnitsMax: number;
}

interface QueuedWrite {
  readonly unit: SerialisedUnit;
  readonly bytes: number;
  readonly resolve: (result: WriteUnitResult) => void;
  readonly reject: (error: EventStoreError) => void;
}

/** One group is being committed while the next already lies in the thread's queue. */
const GROUPS_IN_FLIGHT = 2;
/** Where commits are cheap what is under way goes in halves: the main thread prepares one while the other is committed. */
const GROUPS_OF_CHEAP_COMMITS = 2;
/**
 * Where the main thread has little else to do it goes in thirds: neither thread waits for the other's slow turns. Between
 * sales the turns that this takes cost more than it wins, a twelfth of all that both processors do for them.
 */
const GROUPS_OF_BUSY_WRITER = 3;
/** Units that come one after the other so fast are hardly more than appended. */
const FAST_UNIT_MS_MAX = 0.08;
/** Of the past in the mean of what was measured. */
const PAST_WEIGHT = 7 / 8;
/** About what the main thread works for one unit at least: the decision, its hashes, its answer. */
const MAIN_THREAD_MS_PER_UNIT = 0.05;

/** The units that wait for the writer's thread and those it has, in the order of their groups. */
export class GroupQueue {
  #waiting: QueuedWrite[] = [];
  #inFlight: QueuedWrite[][] = [];
  #unitsInFlight = 0;
  /** What a COMMIT takes lately, most of it the fsync; unknown before the first. */
  #commitMs: number | undefined;
  /** From one settled unit to the next, lately. */
  #unitMs: number | undefined;
  #settledAt = Number.NaN;

  /** `now`: of real time, ms, never set back. */
  constructor(
    private readonly limits: QueueLimits,
    private readonly now: () => number = () => performance.now(),
  ) {}

  add(unit: SerialisedUnit, bytes: number): Promise<WriteUnitResult> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length < this.limits.queueUnitsMax)
        this.#waiting.push({ unit, bytes, resolve, reject });
      else reject(new EventStoreError('Unavailable', `${this.#waiting.length} writes are waiting already`));
    });
  }

  /** The group to send now, which is in flight from then on; undefined if none should go. */
  nextGroup(): readonly SerialisedUnit[] | undefined {
    if (this.#waiting.length === 0) return undefined;
    const parts = this.#parts();
    if (this.#inFlight.length >= Math.max(parts, GROUPS_IN_FLIGHT)) return undefined;
    const group = this.#waiting.splice(0, this.#nextSize(parts));
    this.#inFlight.push(group);
    this.#unitsInFlight += group.length;
    return group.map((waiting) => waiting.unit);
  }

  /** Answers the oldest group in flight. Gives whether anything was written. */
  settle(outcomes: readonly WriterResult[], commitMs: number): boolean {
    const group = this.#inFlight.shift() ?? [];
    this.#unitsInFlight -= group.length;
    this.#commitMs = movingAverage(this.#commitMs, commitMs);
    const now = this.now();
    const sinceLast = now - this.#settledAt;
    if (group.length > 0 && sinceLast >= 0)
      this.#unitMs = movingAverage(this.#unitMs, sinceLast / group.length);
    this.#settledAt = now;
    for (const [index, waiting] of group.entries()) {
      const outcome = outcomes[index];
      if (outcome === undefined) waiting.reject(new EventStoreError('Unknown', 'the writer gave no answer'));
      else if (outcome.kind === 'Failed') waiting.reject(toEventStoreError(outcome));
      else waiting.resolve(outcome);
    }
    return outcomes.some((outcome) => outcome.kind === 'Done');
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

  /** Several where a commit costs less than the work around it. */
  #parts(): number {
    const isCommitCheap = (this.#commitMs ?? Infinity) < this.#outstanding * MAIN_THREAD_MS_PER_UNIT;
    if (!isCommitCheap) return 1;
    return (this.#unitMs ?? Infinity) < FAST_UNIT_MS_MAX ? GROUPS_OF_BUSY_WRITER : GROUPS_OF_CHEAP_COMMITS;
  }

  get #outstanding(): number {
    return this.#unitsInFlight + this.#waiting.length;
  }

  #nextSize(parts: number): number {
    const most = Math.min(this.limits.groupUnitsMax, Math.ceil(this.#outstanding / parts));
    let count = 0;
    let bytes = 0;
    for (const waiting of this.#waiting) {
      bytes += waiting.bytes;
      if (count > 0 && (count >= most || bytes > this.limits.groupBytesMax)) break;
      count += 1;
    }
    return count;
  }
}

function movingAverage(before: number | undefined, value: number): number {
  return (before ?? value) * PAST_WEIGHT + value * (1 - PAST_WEIGHT);
}

export function toEventStoreError(failure: WriterFailure): EventStoreError {
  return new EventStoreError(failure.code, failure.message);
}
