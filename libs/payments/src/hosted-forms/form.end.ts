import {
  findOperation,
  isPending,
  movedAmount,
  type Decision,
  type Merchant,
  type OperationEventData,
  type OperationId,
} from '@tillstream/domain';
import type { Parts } from '../parts.js';
import { iso } from '../ports/clock.port.js';
import type { Cause, StreamEvent } from '../stream-repository/event-metadata.js';
import type { LoadedStream } from '../stream-repository/repositories.js';
import type { FormAggregate, FormInStream, FormRejection } from './form.aggregates.js';

/** A form as it was loaded. */
interface FormToEnd<State> {
  readonly loaded: LoadedStream<State>;
  readonly found: FormInStream;
  readonly merchant: Merchant;
  readonly cause: Cause;
}

/** Appends the end of a form (a cancellation or its expiry) and writes it to the lists. @throws EventStoreError */
export async function endForm<State, Event extends StreamEvent, Rejection extends FormRejection>(
  parts: Parts,
  aggregate: FormAggregate<State, Event, Rejection>,
  { loaded, found, merchant, cause }: FormToEnd<State>,
  decide: (state: State, command: OperationEventData) => Decision<Event, Rejection, OperationId>,
) {
  const { repository } = aggregate.sender.aggregate;
  const { operationId } = found;
  const command = { at: iso(parts.clock.now()), operationId };
  const written = await repository.transact(loaded, cause, (state) => decide(state, command));
  if (written.kind !== 'Written') return written;
  await aggregate.sender.aggregate.writeReadModels(written.loaded, operationId);
  const ended = aggregate.find(written.loaded.state) ?? found;
  await giveBackRefundLimit(parts, merchant, ended, cause);
  return { kind: 'Written', loaded: written.loaded, found: ended } as const;
}

/**
 * Gives back the daily limit that an unreferenced refund reserved, if the form has ended and no money moved. If this fails,
 * the resolver does it.
 */
export async function giveBackRefundLimit(
  { refundLimits }: Pick<Parts, 'refundLimits'>,
  merchant: Merchant,
  { subject }: FormInStream,
  cause: Cause,
): Promise<void> {
  if (subject.kind !== 'Payment') return;
  const { payment, operationId } = subject;
  const operation = findOperation(payment, operationId);
  if (operation?.kind !== 'UnreferencedRefund' || isPending(operation) || movedAmount(operation) > 0) return;
  const { amount, createdAt: at } = operation;
  const share = { operationId, amount, currency: payment.currency, at };
  await refundLimits.release(merchant, share, cause).catch(() => undefined);
}
