import {
  findOperation,
  putIntoBatch,
  streamOfOperation,
  unbatchedItems,
  type Batch,
  type BatchItem,
  type Closing,
  type Operation,
  type OperationId,
} from '@tillstream/domain';
import type { EventStore, Position, RecordedEvent } from '@tillstream/event-store';
import { iso, type Clock } from '../ports/clock.port.js';
import { serviceActor } from '../stream-repository/event-metadata.js';
import type { LoadedPayment, PaymentRepository } from '../stream-repository/stream-repositories.js';
import type { ReadModelWriter } from '../read-model-write-through/read-model-writer.port.js';
import { writeThroughPayment } from '../read-model-write-through/write-through.js';
import type { UnbatchedRow } from './batch-items.port.js';

export interface AssignmentParts {
  readonly store: Pick<EventStore, 'comparePositions'>;
  readonly payments: PaymentRepository;
  readonly clock: Clock;
  readonly readModels: ReadModelWriter;
}

/** A closing in hand, and where it stands in the store: what was written behind it is for the next one. */
export interface ActiveClosing {
  readonly batch: Batch;
  readonly closing: Closing;
  readonly asOf: Position;
}

/** `Again`: its row does not show yet what the batch took of it. */
export type AssignmentResult = 'Settled' | 'Again';

const DECISIONS = 20;

/**
 * Gives an operation its word on this closing, in its own stream: taken, or left for the next batch. Which items belong
 * to the closing is the same for everybody and for ever, so whoever comes later finds nothing left to say.
 */
export async function assignToBatch(
  parts: AssignmentParts,
  inHand: ActiveClosing,
  row: UnbatchedRow,
): Promise<AssignmentResult> {
  const { payments, clock, readModels } = parts;
  const { batch, closing } = inHand;
  const operationId = row.operationId as OperationId;
  const stream = streamOfOperation(operationId);
  if (stream === undefined) return 'Settled';
  const cause = { merchantId: batch.merchantId, actor: serviceActor, causationId: batch.id };
  let loaded = await payments.load(stream);
  let appended = false;
  for (const { returnId } of assignableItems(parts, inHand, loaded, operationId)) {
    const at = iso(clock.now());
    const command = { at, operationId, batchId: batch.id, closing: closing.number };
    const written = await payments.transact(
      stream,
      cause,
      (state) => putIntoBatch(state, { ...command, ...(returnId !== undefined && { returnId }) }),
      { known: loaded, attempts: DECISIONS },
    );
    if (written.kind === 'Contended') return 'Again';
    // Refused: it was voided meanwhile.
    loaded = written.kind === 'Written' ? written.loaded : await payments.load(stream);
    appended ||= written.kind === 'Written' && written.events.length > 0;
  }
  const shown = assignedRevision(loaded, operationId, batch.id) <= row.revision;
  if (appended || !shown) await writeThroughPayment(readModels, loaded);
  return shown ? 'Settled' : 'Again';
}

/** Moved before the cut-off, and written before the closing began. */
function assignableItems(
  { store }: AssignmentParts,
  { closing, asOf }: ActiveClosing,
  { state, history }: LoadedPayment,
  operationId: OperationId,
): readonly BatchItem[] {
  const operation = findOperation(state, operationId);
  if (state.status === 'None' || !operation) return [];
  const isBefore = (event: RecordedEvent | undefined): boolean =>
    event !== undefined && store.comparePositions(event.position, asOf) < 0;
  return unbatchedItems(state, operation).filter(
    ({ movedAt, returnId }) =>
      movedAt < closing.cutOffAt &&
      isBefore(moneyMovedEvent(history, operation)) &&
      (returnId === undefined || isBefore(bankReturnEvent(history, operationId, returnId))),
  );
}

/** The event by which money moved. */
function moneyMovedEvent(
  history: readonly RecordedEvent[],
  { id, kind }: Operation,
): RecordedEvent | undefined {
  const facts = kind === 'Sale' || kind === 'Capture' ? ['Captured'] : ['Refunded', 'LateApprovalFound'];
  return history.find(({ type, data }) => facts.includes(type) && data['operationId'] === id);
}

function bankReturnEvent(
  history: readonly RecordedEvent[],
  operationId: OperationId,
  returnId: string,
): RecordedEvent | undefined {
  return history.find(
    ({ type, data }) =>
      type === 'BankReturned' && data['operationId'] === operationId && data['returnId'] === returnId,
  );
}

/** Of the last event by which the batch took something of the operation; -1: it took nothing. */
function assignedRevision({ history }: LoadedPayment, operationId: OperationId, batchId: string): number {
  const last = history.findLast(
    ({ type, data }) =>
      type === 'Batched' && data['operationId'] === operationId && data['batchId'] === batchId,
  );
  return last?.revision ?? -1;
}
