import { setImmediate } from 'node:timers/promises';
import {
  chainEvents,
  positionFromNumber,
  serialiseAppend,
  type NewEvent,
  type RecordedEvent,
} from '@tillstream/event-store';
import { openBareDatabase } from '@tillstream/event-store-sqlite/testing';
import { foldPayment, type PaymentDecision, type PaymentState } from '@tillstream/domain';
import {
  eventsOf,
  newEvents,
  numberedSample,
  outcome,
  request,
  stateOf,
  type SamplePayment,
} from './sample.payment.js';

/** Time of the first payment in every file, Unix ms. */
export const FIRST_PAYMENT_AT = Date.parse('2026-01-05T08:00:00.000Z');
/** Payments in flight at the same time: their rows are interleaved. */
const INTERLEAVED_PAYMENTS = 50;
const PER_TRANSACTION = 5_000;

/** A file of events that is written without the store, fsync and write-ahead log. No other process may have it open. */
export class HistoryFile {
  private readonly db: ReturnType<typeof openBareDatabase>;
  private readonly insert: { run(...values: readonly (string | number | Buffer)[]): unknown };
  /** Events that it has written. */
  count = 0;

  constructor(file: string) {
    this.db = openBareDatabase(file);
    this.db.pragma('journal_mode = MEMORY');
    this.db.pragma('synchronous = OFF');
    this.insert = this.db.prepare<(string | number | Buffer)[]>(
      'INSERT INTO events (stream, revision, id, type, data, metadata) VALUES (?, ?, ?, ?, ?, ?)',
    );
  }

  /** Ends with a turn of the event loop, for Ctrl-C. */
  async inTransaction(work: () => void): Promise<void> {
    this.db.exec('BEGIN');
    work();
    this.db.exec('COMMIT');
    await setImmediate();
  }

  /** Appends with the hashes that the service would write. Returns the last event. @param last of the stream before */
  append(
    stream: string,
    last: RecordedEvent | undefined,
    added: readonly NewEvent[],
  ): RecordedEvent | undefined {
    const events = chainEvents(stream, last, added);
    let revision = last ? last.revision + 1 : 0;
    for (const { id, type, data, metadata } of serialiseAppend({ stream, expected: 'any', events }).events) {
      const bytes = Buffer.from(id.replaceAll('-', ''), 'hex');
      this.insert.run(stream, revision++, bytes, type, data, metadata);
      this.count += 1;
    }
    const end = events.at(-1);
    return end ? { ...end, stream, revision: revision - 1, position: positionFromNumber(1) } : last;
  }

  close(): void {
    this.db.pragma('synchronous = FULL');
    this.db.pragma('journal_mode = WAL');
    this.db.close();
  }
}

/** A payment whose events are being written. */
export class WrittenPayment {
  private last: RecordedEvent | undefined;
  private state: PaymentState = stateOf([]);

  constructor(
    private readonly file: HistoryFile,
    readonly sample: SamplePayment,
  ) {}

  append(decide: (state: PaymentState) => PaymentDecision): void {
    const decision = decide(this.state);
    this.last = this.file.append(this.sample.stream, this.last, newEvents(decision, this.sample));
    this.state = foldPayment(eventsOf(decision), this.state);
  }
}

/** Writes approved payments, some at a time. */
export function writePayments(file: HistoryFile, samples: readonly SamplePayment[]): WrittenPayment[] {
  const written: WrittenPayment[] = [];
  for (let from = 0; from < samples.length; from += INTERLEAVED_PAYMENTS) {
    const group = samples
      .slice(from, from + INTERLEAVED_PAYMENTS)
      .map((sample) => new WrittenPayment(file, sample));
    for (const payment of group) payment.append((state) => request(payment.sample, state));
    for (const payment of group) payment.append((state) => outcome(payment.sample, state));
    written.push(...group);
  }
  return written;
}

/** Writes a file of `payments` payments (`numberedSample`), every second one an authorization. */
export async function writeHistory(
  path: string,
  payments: number,
  progress: (done: number) => void,
): Promise<void> {
  const file = new HistoryFile(path);
  try {
    for (let from = 0; from < payments; from += PER_TRANSACTION) {
      const count = Math.min(PER_TRANSACTION, payments - from);
      const samples = Array.from({ length: count }, (_, index) =>
        numberedSample(from + index, FIRST_PAYMENT_AT),
      );
      await file.inTransaction(() => void writePayments(file, samples));
      progress(from);
    }
  } finally {
    file.close();
  }
}
