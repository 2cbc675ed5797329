import { RecordTable } from './record.table.js';
import { encodeRecordedEvent, idOfEncoded } from './recorded-event.encode.js';

export interface ProposedEvent {
  /** A UUID in lower case. */
  readonly id: string;
  readonly type: string;
  readonly contentType: string;
  readonly metadata: Uint8Array;
  readonly data: Uint8Array;
}

export interface StreamHistory {
  readonly name: string;
  /** The stream's number in the record table. */
  readonly number: number;
  /** The record number of each event; the index is the revision. */
  readonly records: number[];
  /** Reads skip events of lower revisions. Infinity: the stream is deleted until the next append. */
  truncateBefore: number;
  /** Deleted for good. */
  tombstoned: boolean;
}

const CHUNK_BYTES = 4 * 1024 * 1024;
/** About the bytes that a real server's log adds to a record; its positions are bytes of the log. */
const FRAME_BYTES = 64;
/** A new real server writes records before the first event. */
const FIRST_POSITION = 1_214;

/** All events in the order of writing, each as the message that a reader receives. */
export class EventLog {
  readonly #table = new RecordTable();
  readonly #chunks: Buffer[] = [];
  readonly #streams = new Map<string, StreamHistory>();
  readonly #streamNames: string[] = [];
  readonly #types = new Map<string, number>();
  readonly #typeNames: string[] = [];
  readonly #listeners = new Set<() => void>();
  #freeFrom = CHUNK_BYTES;
  #end = FIRST_POSITION;

  get count(): number {
    return this.#table.count;
  }

  /** The position of the next record. */
  get end(): number {
    return this.#end;
  }

  stream(name: string): StreamHistory | undefined {
    return this.#streams.get(name);
  }

  /** Adds the events to the stream without a check. Returns the number of the last record. */
  append(name: string, events: readonly ProposedEvent[], tombstone = false): number {
    const stream = this.#streams.get(name) ?? this.#create(name);
    const createdAt = Date.now();
    for (const event of events) {
      const revision = tombstone ? 'last' : stream.records.length;
      if (!tombstone) stream.records.push(this.count);
      const message = encodeRecordedEvent({
        ...event,
        stream: name,
        revision,
        position: this.#end,
        createdAt,
      });
      this.#table.add({
        position: this.#end,
        ...this.#keep(message),
        stream: stream.number,
        type: this.#typeNumber(event.type),
      });
      this.#end += message.length + FRAME_BYTES;
    }
    if (tombstone) stream.tombstoned = true;
    return this.count - 1;
  }

  /** Notifies the listeners of new records. Separate from `append`, because a system event may follow the events of a client. */
  notifyAppended(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  onAppend(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  message(record: number): Buffer {
    const offset = this.#table.get('offset', record);
    const chunk = this.#chunks[this.#table.get('chunk', record)] ?? Buffer.alloc(0);
    return chunk.subarray(offset, offset + this.#table.get('length', record));
  }

  position(record: number): number {
    return record < this.count ? this.#table.position(record) : this.#end;
  }

  id(record: number): string {
    return idOfEncoded(this.message(record));
  }

  streamName(record: number): string {
    return this.#streamNames[this.#table.get('stream', record)] ?? '';
  }

  type(record: number): string {
    return this.#typeNames[this.#table.get('type', record)] ?? '';
  }

  firstAtOrAfter(position: number): number {
    return this.#table.firstAtOrAfter(position);
  }

  #create(name: string): StreamHistory {
    const stream = {
      name,
      number: this.#streamNames.length,
      records: [],
      truncateBefore: 0,
      tombstoned: false,
    };
    this.#streamNames.push(name);
    this.#streams.set(name, stream);
    return stream;
  }

  #typeNumber(type: string): number {
    const known = this.#types.get(type);
    if (known !== undefined) return known;
    this.#types.set(type, this.#typeNames.length);
    return this.#typeNames.push(type) - 1;
  }

  #keep(message: Buffer): { chunk: number; offset: number; length: number } {
    if (this.#freeFrom + message.length > CHUNK_BYTES) {
      this.#chunks.push(Buffer.allocUnsafeSlow(Math.max(CHUNK_BYTES, message.length)));
      this.#freeFrom = 0;
    }
    const kept = { chunk: this.#chunks.length - 1, offset: this.#freeFrom, length: message.length };
    this.#chunks[kept.chunk]?.set(message, kept.offset);
    this.#freeFrom += message.length;
    return kept;
  }
}
