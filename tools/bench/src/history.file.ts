import { setImmediate } from 'node:timers/promises';
import {
  chainEvents,
  positionFromNumber,
  serialiseAppend,
  type RecordedEvent,
} from '@tillstream/event-store';
import { openBareDatabase } from '@tillstream/event-store-sqlite/testing';
import type { PaymentDecision, PaymentState } from '@tillstream/domain';
import { foldPayment } from '@tillstream/domain';
import { eventsOf, newEvents, numberedStory, outcome, request, stateOf, type Story } from './sale.story.js';

/** When the first payment of every file was made. */
export const BEGAN = Date.parse('2026-01-05T08:00:00.000Z');
/** Payments that were on their way at the same time: their rows lie between one another's. */
const TOGETHER = 50;
const PER_TRANSACTION = 5_000;

/**
 * Writes a file of `payments` payments (`numberedStory`), every second one an authorization, with the rows that the
 * service would have written, hashes included. Not through the store: without fsync and without the write-ahead log.
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
      const { stream } = payment.story;
      const events = chainEvents(stream, payment.last, newEvents(decision, payment.story));
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
      for (let next = from; next < Math.min(from + PER_TRANSACTION, payments); next += TOGETHER) {
        const group = Array.from({ length: Math.min(TOGETHER, payments - next) }, (_, index) =>
          begun(next + index),
        );
        for (const payment of group) append(payment, request(payment.story, payment.state));
        for (const payment of group) append(payment, outcome(payment.story, payment.state));
      }
      db.exec('COMMIT');
      progress(from);
      // A turn of the event loop, so that Ctrl-C is heard.
      await setImmediate();
    }
    db.pragma('synchronous = FULL');
    db.pragma('journal_mode = WAL');
  } finally {
    db.close();
  }
}

interface Payment {
  readonly story: Story;
  last: RecordedEvent | undefined;
  state: PaymentState;
}

function begun(number: number): Payment {
  return { story: numberedStory(number, BEGAN), last: undefined, state: stateOf([]) };
}
