import { hash } from 'node:crypto';
import {
  feeOfItem,
  findOperation,
  pick,
  streamOfOperation,
  ulidOfHash,
  type AttemptOutcome,
  type ItemFee,
  type Operation,
  type OperationId,
  type Payment,
  type PaymentEvents,
  type SettledItem,
  type SettledItemType,
  type SettlementPricing,
} from '@tillstream/domain';
import type { RecordedEvent } from '@tillstream/event-store';
import type { PaymentRepository } from '../stream-repository/repositories.js';

type Batched = PaymentEvents['Batched'];

export interface TakenBy {
  readonly batchId: string;
  readonly part: 'Operations' | 'Returns';
  readonly pricing?: SettlementPricing;
}

/**
 * The items of an operation that a batch took, as its stream has them, with their fees. `part` chooses between the operation
 * itself and its returns and chargebacks.
 * @throws Error if there is no such payment
 */
export async function settledItems(
  payments: PaymentRepository,
  operationId: OperationId,
  taken: TakenBy,
): Promise<SettledItem[]> {
  const { state, history } = await payments.load(streamOfOperation(operationId) ?? '');
  const operation = findOperation(state, operationId);
  if (state.status === 'None' || !operation) throw new Error(`there is no operation ${operationId}`);
  return batchedItems(history, operationId, taken).map((batched) => {
    const item = settledItem(state, operation, batched);
    const fee = feeOfItem(taken.pricing, item);
    return { ...item, ...(fee && { fee: { feeId: feeIdOf(item), ...fee } }) };
  });
}

function batchedItems(
  history: readonly RecordedEvent[],
  operationId: OperationId,
  { batchId, part }: TakenBy,
): Batched[] {
  return history
    .filter(({ type }) => type === 'Batched')
    .map(({ data }) => data as unknown as Batched)
    .filter((data) => data.operationId === operationId && data.batchId === batchId)
    .filter((data) => (typeOfTakenBack(data) === undefined) === (part === 'Operations'));
}

function typeOfTakenBack({ returnId, chargebackId }: Batched): 'Return' | 'Chargeback' | undefined {
  if (returnId !== undefined) return 'Return';
  return chargebackId === undefined ? undefined : 'Chargeback';
}

function settledItem(payment: Payment, operation: Operation, batched: Batched): SettledItem {
  const { channel, paymentMethod } = payment;
  const outcome = operation.responses[0]?.outcome;
  return {
    operationId: operation.id,
    type: typeOfTakenBack(batched) ?? (operation.kind as SettledItemType),
    ...pick(batched, 'returnId', 'chargebackId'),
    ...(operation.originalId !== undefined && { originalOperationId: operation.originalId }),
    amount: batched.amount,
    movedAt: movedAt(operation, batched),
    channel,
    paymentMethodId: (outcome?.paymentMethod ?? paymentMethod).id,
    ...cardFacts(payment, outcome),
    ...(outcome && pick(outcome, 'entryMode', 'gatewayTransactionId', 'processor', 'processorAccount')),
  };
}

/** Of its own outcome, else of the outcome that opened the payment: an answer to a capture need not name the card. */
function cardFacts({ operations, paymentMethod }: Payment, own: AttemptOutcome | undefined) {
  const facts: Partial<Pick<SettledItem, 'cardType' | 'accountType' | 'cardFunding'>>[] = [
    { ...(paymentMethod.cardType !== undefined && { cardType: paymentMethod.cardType }) },
  ];
  for (const outcome of [operations[0]?.responses[0]?.outcome, own]) {
    if (!outcome) continue;
    const cardType = outcome.card?.cardType ?? outcome.paymentMethod.cardType;
    const cardFunding = outcome.card?.fundingType;
    facts.push({
      ...(cardType !== undefined && { cardType }),
      ...pick(outcome, 'accountType'),
      ...(cardFunding !== undefined && { cardFunding }),
    });
  }
  return Object.assign({}, ...facts) as (typeof facts)[number];
}

/** Of a return or chargeback: when it was recorded. */
function movedAt(
  { movedAt: moved = '', returns, chargebacks = [] }: Operation,
  { returnId, chargebackId }: Batched,
): string {
  const takenBack =
    returns.find(({ id }) => id === returnId) ?? chargebacks.find(({ id }) => id === chargebackId);
  return takenBack?.at ?? moved;
}

/** A sale or capture has one fee, whose id has the characters of its own. */
function feeIdOf({ operationId, returnId, chargebackId }: SettledItem): ItemFee['feeId'] {
  if (returnId === undefined && chargebackId === undefined) return `fee_${operationId.slice('trx_'.length)}`;
  const of = returnId === undefined ? `chargeback/${chargebackId}` : `return/${returnId}`;
  return `fee_${ulidOfHash(hash('sha256', `fee/${operationId}/${of}`, 'buffer'))}`;
}
