import { setImmediate } from 'node:timers/promises';
import {
  chainEvents,
  positionFromNumber,
  serialiseAppend,
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

/**
 * Writes a file of `payments` payments (`numberedSample`), every second one an authorization, with the rows and hashes
 * that the service would write. Writes without the store, fsync and write-ahead log.
 */
export async function writeHistory(
  file: string,
  payments: number,
  progress: (done: number) => void,
): Promise<void> {
  const db = openBareDatabase(file);
  try {
    db.pragma('journal_mode = MEMORY');
    db.pragma('synchronous = OFF');
    const insert = db.prepare(
      'INSERT INTO events (stream, revision, id, type, data, metadata) VALUES (?, ?, ?, ?, ?, ?)',
    );
    const append = (payment: Payment, decision: PaymentDecision): void => {
      const { stream } = payment.sample;
      const events = chainEvents(stream, payment.last, newEvents(decision, payment.sample));
      let revision = payment.last ? payment.last.revision + 1 : 0;
      for (const { id, type, data, metadata } of serialiseAppend({ stream, expected: 'any', events })
        .events) {
        insert.run(stream, revision++, Buffer.from(id.replaceAll('-', ''), 'hex'), type, data, metadata);
      }
      const last = events.at(-1);
      if (last) payment.last = { ...last, stream, revision: revision - 1, position: positionFromNumber(1) };
      payment.state = foldPayment(eventsOf(decision), payment.state);
    };
    for (let from = 0; from < payments; from += PER_TRANSACTION) {
      db.exec('BEGIN');
      for (let next = from; next < Math.min(from + PER_TRANSACTION, payments); next += INTERLEAVED_PAYMENTS) {
        const group = Array.from({ length: Math.min(INTERLEAVED_PAYMENTS, payments - next) }, (_, index) =>
          startPayment(next + index),
        );
        for (const payment of group) append(payment, request(payment.sample, payment.state));
        for (const payment of group) append(payment, outcome(payment.sample, payment.state));
      }
      db.exec('COMMIT');
      progress(from);
      // A turn of the event loop, for Ctrl-C.
      await setImmediate();
    }
    db.pragma('synchronous = FULL');
    db.pragma('journal_mode = WAL');
  } finally {
    db.close();
  }
}

interface Payment {
  readonly sample: SamplePayment;
  last: RecordedEvent | undefined;
  state: PaymentState;
}

function startPayment(number: number): Payment {
  return { sample: numberedSample(number, FIRST_PAYMENT_AT), last: undefined, state: stateOf([]) };
}
