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
import { tokenOperationResult, transactionResult } from '@tillstream/presentation';
import { Failed } from './command.types.js';
import type { OpenedPlace } from './personal.opening.js';

/** The stream that a transaction is in, and what it says. */
export interface History {
  readonly id: string;
  readonly stream: string;
  readonly merchantId: string | undefined;
  /** All of them, in their order; a payment's stream is bounded by the operations that it can number. */
  readonly events: readonly RecordedEvent[];
  readonly operations: readonly TransactionResult[];
  /** Why there are none: an event that this version can't read. The events are given all the same. */
  readonly operationsMissing?: string;
}

/** What was opened of personal data, and for whom. */
export interface PersonalPart {
  readonly reason: string;
  readonly readBy: string;
  /** For each event. */
  readonly ofEvents: readonly (readonly OpenedPlace[])[];
}

export type Chain =
  | { readonly status: 'Intact'; readonly events: number; readonly lastHash?: string }
  | {
      readonly status: 'Broken';
      readonly revision: number;
      readonly eventId: string;
      readonly problem: string;
    };

/** @throws Failed for a transaction that is not there. */
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
    const operationsMissing = error instanceof Error ? error.message : String(error);
    return { ...known, operations: [], operationsMissing };
  }
}

const unknown = (id: string): Failed => new Failed(`There is no transaction ${id}.`);

interface Operations {
  /** Of the service's own too, which have no public shape. */
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
    operations: shown.map(({ id }) => transactionResult(payment, id)),
  };
}

function tokenOf(events: readonly RecordedEvent[]): Operations {
  const token = foldToken(events.map((one) => fromRecorded(tokenCodec, one)));
  if (token.status === 'None') return { ids: [], operations: [] };
  const ids = token.operations.map(({ id }) => id);
  return { ids, operations: ids.map((id) => tokenOperationResult(token, id)) };
}

/** The export itself, in the order of showing. */
export function exportOf(
  { id, stream, merchantId, events, operations, operationsMissing }: History,
  { store, personal }: { readonly store: string; readonly personal?: PersonalPart },
) {
  return {
    transactionId: id,
    ...(merchantId !== undefined && { merchantId }),
    exportedAt: new Date().toISOString(),
    store,
    stream,
    chain: chainOf(events),
    personalData: personal
      ? { opened: true, reason: personal.reason, readBy: personal.readBy }
      : { opened: false },
    operations,
    ...(operationsMissing !== undefined && { operationsMissing }),
    events: events.map((event, index) => ({
      ...shownEvent(event),
      ...(personal && { personal: personal.ofEvents[index] ?? [] }),
    })),
  };
}

function chainOf(events: readonly RecordedEvent[]): Chain {
  const verifier = new ChainVerifier();
  for (const event of events) {
    const broken = verifier.check(event);
    if (broken)
      return { status: 'Broken', revision: broken.revision, eventId: broken.id, problem: broken.problem };
  }
  const last = events.at(-1)?.metadata['hash'];
  return { status: 'Intact', events: events.length, ...(typeof last === 'string' && { lastHash: last }) };
}

function shownEvent(event: RecordedEvent) {
  const { serviceTime, realTime, actor, reason, traceId, causationId, schemaVersion } = eventMetadata(event);
  return {
    revision: event.revision,
    id: event.id,
    type: event.type,
    schemaVersion,
    serviceTime,
    realTime,
    actor,
    ...(reason !== undefined && { reason }),
    ...(traceId !== undefined && { traceId }),
    ...(causationId !== undefined && { causationId }),
    hash: event.metadata['hash'],
    data: event.data,
  };
}
