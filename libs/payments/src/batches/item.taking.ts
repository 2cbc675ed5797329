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
import { iso, type Clock } from '../clock.port.js';
import { theService } from '../event-metadata.js';
import type { LoadedPayment, PaymentJournal } from '../journals.js';
import type { ReadModelWriter } from '../read-model.port.js';
import { tellOfPayment } from '../telling.js';
import type { UnbatchedRow } from './batch-items.port.js';

export interface TakingParts {
  readonly store: Pick<EventStore, 'comparePositions'>;
  readonly payments: PaymentJournal;
  readonly clock: Clock;
  readonly readModels: ReadModelWriter;
}

/** A closing in hand, and where it stands in the store: what was written behind it is for the next one. */
export interface ClosingInHand {
  readonly batch: Batch;
  readonly closing: Closing;
  readonly asOf: Position;
}

/** `Again`: its row does not show yet what the batch took of it. */
export type Taken = 'Settled' | 'Again';

const DECISIONS = 20;

/**
 * Gives an operation its word on this closing, in its own stream: taken, or left for the next batch. Which items belong
 * to the closing is the same for everybody and for ever, so whoever comes later finds nothing left to say.
 */
export async function takeItem(parts: TakingParts, inHand: ClosingInHand, row: UnbatchedRow): Promise<Taken> {
  const { payments, clock, readModels } = parts;
  const { batch, closing } = inHand;
  const operationId = row.operationId as OperationId;
  const stream = streamOfOperation(operationId);
  if (stream === undefined) return 'Settled';
  const cause = { merchantId: batch.merchantId, actor: theService, causationId: batch.id };
  let loaded = await payments.load(stream);
  let appended = false;
  for (const { returnId } of belonging(parts, inHand, loaded, operationId)) {
    const at = iso(clock.now());
    const command = { at, operationId, batchId: batch.id, closing: closing.number };
    const written = await payments.write(
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
  const shown = revisionTaken(loaded, operationId, batch.id) <= row.revision;
  if (appended || !shown) await tellOfPayment(readModels, loaded);
  return shown ? 'Settled' : 'Again';
}

/** Moved before the cut-off, and written before the closing began. */
function belonging(
  { store }: TakingParts,
  { closing, asOf }: ClosingInHand,
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
      isBefore(factOf(history, operation)) &&
      (returnId === undefined || isBefore(returnIn(history, operationId, returnId))),
  );
}

/** The event by which money moved. */
function factOf(history: readonly RecordedEvent[], { id, kind }: Operation): RecordedEvent | undefined {
  const facts = kind === 'Sale' || kind === 'Capture' ? ['Captured'] : ['Refunded', 'LateApprovalFound'];
  return history.find(({ type, data }) => facts.includes(type) && data['operationId'] === id);
}

function returnIn(
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
function revisionTaken({ history }: LoadedPayment, operationId: OperationId, batchId: string): number {
  const last = history.findLast(
    ({ type, data }) =>
      type === 'Batched' && data['operationId'] === operationId && data['batchId'] === batchId,
  );
  return last?.revision ?? -1;
}
