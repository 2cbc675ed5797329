import {
  findOperation,
  pick,
  putIntoBatch,
  streamOfOperation,
  unbatchedItems,
  type Batch,
  type BatchItem,
  type Closing,
  type Operation,
  type OperationId,
} from '@tillstream/domain';
import type { Position, RecordedEvent } from '@tillstream/event-store';
import { iso } from '../ports/clock.port.js';
import { serviceActor } from '../stream-repository/event-metadata.js';
import type { LoadedPayment } from '../stream-repository/repositories.js';
import { writeThrough } from '../read-model-write-through/write-through.js';
import type { UnbatchedRow } from './batch-items.port.js';
import type { BatchParts } from './batches.js';

export interface ActiveClosing {
  readonly batch: Batch;
  readonly closing: Closing;
  /** The position of its `BatchClosing` event. Events after it belong to the next closing. */
  readonly asOf: Position;
}

/** `Again`: the row does not show yet what the batch took of the operation. */
type AssignmentResult = 'Assigned' | 'Again';

const DECISIONS_MAX = 20;

/**
 * Decides whether the items of an operation belong to this batch or to the next one, and records it in the payment's
 * stream. The decision depends only on events before the closing started, so a second run finds nothing left to decide.
 */
export async function assignToBatch(
  parts: BatchParts,
  active: ActiveClosing,
  row: UnbatchedRow,
): Promise<AssignmentResult> {
  const { payments, clock, readModels } = parts;
  const { batch, closing } = active;
  const operationId = row.operationId as OperationId;
  const stream = streamOfOperation(operationId);
  if (stream === undefined) return 'Assigned';
  const cause = { merchantId: batch.merchantId, actor: serviceActor, causationId: batch.id };
  let loaded = await payments.load(stream);
  let appended = false;
  for (const item of assignableItems(parts, active, loaded, operationId)) {
    const command = {
      at: iso(clock.now()),
      operationId,
      batchId: batch.id,
      closing: closing.number,
      ...pick(item, 'returnId', 'chargebackId'),
    };
    const written = await payments.transact(loaded, cause, (state) => putIntoBatch(state, command), {
      decisionsMax: DECISIONS_MAX,
    });
    if (written.kind === 'Contended') return 'Again';
    // The domain rejects an item that a concurrent void took out.
    loaded = written.kind === 'Written' ? written.loaded : await payments.load(stream);
    appended ||= written.kind === 'Written' && written.events.length > 0;
  }
  const isUpToDate = assignedRevision(loaded, operationId, batch.id) <= row.revision;
  if (appended || !isUpToDate) await writeThrough(readModels, loaded);
  return isUpToDate ? 'Assigned' : 'Again';
}

/** The items that moved before the cut-off and whose events are before the start of the closing. */
function assignableItems(
  { store }: BatchParts,
  { closing, asOf }: ActiveClosing,
  { state, history }: LoadedPayment,
  operationId: OperationId,
): readonly BatchItem[] {
  const operation = findOperation(state, operationId);
  if (state.status === 'None' || !operation) return [];
  const isBefore = (event: RecordedEvent | undefined): boolean =>
    event !== undefined && store.comparePositions(event.position, asOf) < 0;
  return unbatchedItems(state, operation).filter(
    (item) =>
      item.movedAt < closing.cutOffAt &&
      isBefore(moneyMovedEvent(history, operation)) &&
      (isOperationItem(item) || isBefore(takenBackEvent(history, operationId, item))),
  );
}

function isOperationItem({ returnId, chargebackId }: BatchItem): boolean {
  return returnId === undefined && chargebackId === undefined;
}

function moneyMovedEvent(
  history: readonly RecordedEvent[],
  { id, kind }: Operation,
): RecordedEvent | undefined {
  const facts = kind === 'Sale' || kind === 'Capture' ? ['Captured'] : ['Refunded', 'LateApprovalFound'];
  return history.find(({ type, data }) => facts.includes(type) && data['operationId'] === id);
}

function takenBackEvent(
  history: readonly RecordedEvent[],
  operationId: OperationId,
  { returnId, chargebackId }: BatchItem,
): RecordedEvent | undefined {
  return history.find(
    ({ type, data }) =>
      data['operationId'] === operationId &&
      (returnId === undefined
        ? type === 'ChargebackReceived' && data['chargebackId'] === chargebackId
        : type === 'BankReturned' && data['returnId'] === returnId),
  );
}

/** The revision of the last `Batched` event of the operation and batch; -1 if there is none. */
function assignedRevision({ history }: LoadedPayment, operationId: OperationId, batchId: string): number {
  const last = history.findLast(
    ({ type, data }) =>
      type === 'Batched' && data['operationId'] === operationId && data['batchId'] === batchId,
  );
  return last?.revision ?? -1;
}
