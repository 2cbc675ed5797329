import { randomUUID } from 'node:crypto';
import type { ExpectedVersion } from '../double.options.js';
import type { EventLog, ProposedEvent, StreamHistory } from './event.log.js';
import { RecentIds } from './recent.ids.js';

export interface AppendRequest {
  readonly stream: string;
  readonly expected: ExpectedVersion;
  readonly events: readonly ProposedEvent[];
}

export type LogAppendResult =
  /** Position of the last event, also if all events existed before. Undefined for an append of no events. */
  | { readonly kind: 'Written'; readonly revision: number | 'none'; readonly position?: number }
  | { readonly kind: 'WrongVersion'; readonly expected: ExpectedVersion; readonly current: number | 'none' }
  | { readonly kind: 'Deleted' };

export interface WriterOptions {
  readonly rememberedIds: number;
  readonly eventsPerSystemEvent: number;
}

/** Decides on appends and deletes as the real server's index writer does, and writes them. */
export class LogWriter {
  readonly #recent: RecentIds;
  readonly #eventsPerSystemEvent: number;
  #sinceSystemEvent = 0;

  constructor(
    private readonly log: EventLog,
    options: WriterOptions,
  ) {
    this.#recent = new RecentIds(options.rememberedIds);
    this.#eventsPerSystemEvent = options.eventsPerSystemEvent;
    log.append('$$$stats-127.0.0.1:2113', [systemEvent('$metadata', { $maxAge: 86_400, $maxCount: 24 })]);
    log.append('$user-admin', [
      systemEvent('$UserCreated', { loginName: 'admin', fullName: 'Administrator' }),
    ]);
    log.append('$users', [systemEvent('$User', 'admin')]);
  }

  /** A restart clears these ids. */
  forget(): void {
    this.#recent.clear();
  }

  append({ stream: name, expected, events }: AppendRequest): LogAppendResult {
    const stream = this.log.stream(name);
    if (stream?.tombstoned === true) return { kind: 'Deleted' };
    const current = lastRevision(stream);
    const wrong: LogAppendResult = { kind: 'WrongVersion', expected, current };
    if (expected === 'exists') {
      if (stream?.truncateBefore === Infinity) return { kind: 'Deleted' };
      if (current === 'none' && this.log.stream(`$$${name}`) === undefined) return wrong;
    }
    if (expected === 'any' || expected === 'exists') {
      const known = this.#knownByIds(stream, events);
      if (known === 'some') return wrong;
      return known === undefined ? this.#write(name, events) : known;
    }
    return this.#appendAt({ stream: name, expected, events }, current) ?? wrong;
  }

  /** An append under an exact revision; undefined if the stream has another one. */
  #appendAt(
    { stream: name, expected, events }: AppendRequest & { readonly expected: number | 'none' },
    current: number | 'none',
  ): LogAppendResult | undefined {
    const stream = this.log.stream(name);
    const expectedNumber = expected === 'none' ? -1 : expected;
    const currentNumber = current === 'none' ? -1 : current;
    if (expectedNumber > currentNumber) return undefined;
    if (expectedNumber === currentNumber || stream === undefined) return this.#write(name, events);
    const known = this.#knownAtPlace(stream, expectedNumber + 1, events);
    if (known !== undefined) return known;
    const isNew =
      expected === 'none' && stream.truncateBefore === Infinity && !this.#isAt(stream, 0, events[0]);
    return isNew ? this.#write(name, events) : undefined;
  }

  /** Deletes the stream until the next append, or for good. */
  delete(name: string, expected: ExpectedVersion, forGood: boolean): LogAppendResult {
    const stream = this.log.stream(name);
    if (stream?.tombstoned === true) return { kind: 'Deleted' };
    const current = lastRevision(stream);
    const missing = stream === undefined && !forGood;
    const fits = expected === 'any' || expected === current || (expected === 'exists' && current !== 'none');
    if (missing || !fits) return { kind: 'WrongVersion', expected, current };
    const record = forGood
      ? this.log.append(name, [systemEvent('$streamDeleted', '')], true)
      : this.#hideBefore(name, Infinity);
    this.log.notifyAppended();
    return { kind: 'Written', revision: current, position: this.log.position(record) };
  }

  #write(name: string, events: readonly ProposedEvent[]): LogAppendResult {
    const before = this.log.stream(name);
    if (events.length === 0) return { kind: 'Written', revision: lastRevision(before) };
    if (before?.truncateBefore === Infinity) this.#hideBefore(name, before.records.length);
    const last = this.log.append(name, events);
    const first = last - events.length + 1;
    events.forEach((event, index) => this.#recent.add(event.id, first + index));
    this.#sinceSystemEvent += events.length;
    if (this.#sinceSystemEvent >= this.#eventsPerSystemEvent) {
      this.#sinceSystemEvent = 0;
      this.log.append('$stats-127.0.0.1:2113', [
        systemEvent('$statsCollected', { 'es-writer-lastFlushSize': 1 }),
      ]);
    }
    this.log.notifyAppended();
    return {
      kind: 'Written',
      revision: lastRevision(this.log.stream(name)),
      position: this.log.position(last),
    };
  }

  /** The earlier answer if all ids are in memory and of this stream; 'some' if only the first ones are. */
  #knownByIds(
    stream: StreamHistory | undefined,
    events: readonly ProposedEvent[],
  ): LogAppendResult | 'some' | undefined {
    let last: number | undefined;
    for (const [index, event] of events.entries()) {
      last = this.#recent.record(event.id);
      if (last === undefined || this.log.streamName(last) !== stream?.name)
        return index === 0 ? undefined : 'some';
    }
    if (last === undefined || stream === undefined) return undefined;
    return { kind: 'Written', revision: stream.records.lastIndexOf(last), position: this.log.position(last) };
  }

  #knownAtPlace(
    stream: StreamHistory,
    from: number,
    events: readonly ProposedEvent[],
  ): LogAppendResult | undefined {
    const revision = from + events.length - 1;
    const last = stream.records[revision];
    if (events.length === 0 || last === undefined) return undefined;
    if (!events.every((event, index) => this.#isAt(stream, from + index, event))) return undefined;
    return { kind: 'Written', revision, position: this.log.position(last) };
  }

  #isAt(stream: StreamHistory, revision: number, event: ProposedEvent | undefined): boolean {
    const record = stream.records[revision];
    return record !== undefined && this.log.id(record) === event?.id;
  }

  #hideBefore(name: string, revision: number): number {
    const stream = this.log.stream(name);
    if (stream !== undefined) stream.truncateBefore = revision;
    const stored = revision === Infinity ? Number.MAX_SAFE_INTEGER : revision;
    return this.log.append(`$$${name}`, [systemEvent('$metadata', { $tb: stored })]);
  }
}

function lastRevision(stream: StreamHistory | undefined): number | 'none' {
  return stream === undefined || stream.records.length === 0 ? 'none' : stream.records.length - 1;
}

function systemEvent(type: string, data: unknown): ProposedEvent {
  const json = Buffer.from(JSON.stringify(data));
  return { id: randomUUID(), type, contentType: 'application/json', metadata: Buffer.alloc(0), data: json };
}
