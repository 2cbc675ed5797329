import type { TransactionResult } from '@tillstream/contracts';
import {
  foldPayment,
  foldToken,
  paymentCodec,
  streamOfOperation,
  streamOfTokenOperation,
  tokenCodec,
} from '@tillstream/domain';
import { ChainVerifier, readWholeStream, type EventStore, type RecordedEvent } from '@tillstream/event-store';
import { fromRecorded, eventMetadata } from '@tillstream/payments';
import { tokenOperationResult, transactionResult, withoutForm } from '@tillstream/presentation';
import { errorMessage } from '@tillstream/runtime';
import { Failed } from './command.types.js';
import type { OpenedPlace } from './personal.data.js';

/** The events and operations of the stream that a transaction is in. */
export interface History {
  readonly id: string;
  readonly stream: string;
  readonly merchantId: string | undefined;
  /** All events in order. The number of a payment's operations bounds its stream. */
  readonly events: readonly RecordedEvent[];
  readonly operations: readonly TransactionResult[];
  /** Why `operations` is empty: this version can't read an event. */
  readonly operationsMissing?: string;
}

/** Opened personal data, and who reads it. */
export interface PersonalPart {
  readonly reason: string;
  readonly readBy: string;
  /** One entry for each event. */
  readonly ofEvents: readonly (readonly OpenedPlace[])[];
}

/** @throws Failed if there is no such transaction */
export async function readHistory(store: EventStore, id: string): Promise<History> {
  const stream = streamOfOperation(id) ?? streamOfTokenOperation(id);
  const events = stream === undefined ? [] : await readWholeStream(store, stream);
  if (stream === undefined || events.length === 0) throw unknown(id);
  const merchantId = events.map((one) => eventMetadata(one).merchantId).find((one) => one !== '');
  const known = { id, stream, merchantId, events };
  try {
    const { ids, operations } = streamOfOperation(id) ? paymentOf(events) : tokenOf(events);
    if (!ids.includes(id)) throw unknown(id);
    return { ...known, operations };
  } catch (error) {
    if (error instanceof Failed) throw error;
    const operationsMissing = errorMessage(error);
    return { ...known, operations: [], operationsMissing };
  }
}

const unknown = (id: string): Failed => new Failed(`There is no transaction ${id}.`);

interface Operations {
  /** Also operations of the service itself, which have no public shape. */
  readonly ids: readonly string[];
  readonly operations: readonly TransactionResult[];
}

function paymentOf(events: readonly RecordedEvent[]): Operations {
  const payment = foldPayment(events.map((one) => fromRecorded(paymentCodec, one)));
  if (payment.status === 'None') return { ids: [], operations: [] };
  const { operations } = payment;
  const shown = operations.filter(({ kind }) => kind !== 'Reversal');
  return {
    ids: operations.map(({ id }) => id),
    operations: shown.map(({ id }) => withoutForm(transactionResult(payment, id))),
  };
}

function tokenOf(events: readonly RecordedEvent[]): Operations {
  const token = foldToken(events.map((one) => fromRecorded(tokenCodec, one)));
  if (token.status === 'None') return { ids: [], operations: [] };
  const ids = token.operations.map(({ id }) => id);
  return { ids, operations: ids.map((id) => withoutForm(tokenOperationResult(token, id))) };
}

/** The exported JSON; the order of its fields is the order of the text. JSON leaves out a field that is undefined. */
export function exportOf(
  { id, stream, merchantId, events, operations, operationsMissing }: History,
  { store, personal }: { readonly store: string; readonly personal: PersonalPart | undefined },
) {
  return {
    transactionId: id,
    merchantId,
    exportedAt: new Date().toISOString(),
    store,
    stream,
    chain: chainOf(events),
    personalData: { opened: personal !== undefined, reason: personal?.reason, readBy: personal?.readBy },
    operations,
    operationsMissing,
    events: events.map((event, index) => ({
      ...shownEvent(event),
      personal: personal && (personal.ofEvents[index] ?? []),
    })),
  };
}

function chainOf(events: readonly RecordedEvent[]) {
  const verifier = new ChainVerifier();
  for (const event of events) {
    const broken = verifier.check(event);
    if (broken) {
      const { revision, id: eventId, problem } = broken;
      return { status: 'Broken', revision, eventId, problem } as const;
    }
  }
  const last = events.at(-1)?.metadata['hash'];
  const lastHash = typeof last === 'string' ? { lastHash: last } : {};
  return { status: 'Intact', events: events.length, ...lastHash } as const;
}

function shownEvent(event: RecordedEvent) {
  const { revision, id, type, data } = event;
  const { serviceTime, realTime, actor, reason, traceId, causationId, schemaVersion } = eventMetadata(event);
  const { hash } = event.metadata;
  const cause = { reason, traceId, causationId };
  return { revision, id, type, schemaVersion, serviceTime, realTime, actor, ...cause, hash, data };
}
