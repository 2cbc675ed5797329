import {
  evolvePayment,
  noPayment,
  putIntoBatch,
  recordChargeback,
  type Operation,
  type PaymentDecision,
  type PaymentEvent,
  type PaymentState,
} from '@tillstream/domain';
import { randomPaymentDecision, seededChoice } from '@tillstream/read-models/testing';

type RandomChoice = ReturnType<typeof seededChoice>;

const STREAM = 'payment-01JQ0000000000000000001';
const minute = (number: number): string => new Date(Date.UTC(2026, 2, 1) + number * 60_000).toISOString();

/** The events of a payment after random commands, answers in any order, returns, chargebacks and batches that take items. */
export function randomHistory(seed: number, decisions: number): readonly PaymentEvent[] {
  const choose = seededChoice(seed);
  const events: PaymentEvent[] = [];
  let state: PaymentState = noPayment;
  for (let number = 0; number < decisions; number++) {
    const decision = nextDecision(state, minute(number), choose);
    if (decision.kind === 'Rejected') continue;
    for (const event of decision.events) {
      events.push(event);
      state = evolvePayment(state, event);
    }
  }
  return events;
}

function nextDecision(state: PaymentState, at: string, choose: RandomChoice): PaymentDecision {
  if (state.status === 'None' || choose(3) > 0) return randomPaymentDecision(state, at, choose, STREAM);
  const operation = state.operations[choose(state.operations.length)] as Operation;
  const { id: operationId, amount } = operation;
  if (choose(3) === 0) {
    const chargebackId = `cbk_${choose(3)}`;
    return recordChargeback(state, {
      at,
      operationId,
      chargebackId,
      reason: '10.4',
      amount: 1 + choose(amount),
    });
  }
  return putIntoBatch(state, {
    at,
    operationId,
    batchId: `bat_${choose(3)}`,
    closing: 1,
    ...itemOf(operation, choose),
  });
}

function itemOf({ returns, chargebacks = [] }: Operation, choose: RandomChoice) {
  const items = [
    {},
    ...returns.map(({ id: returnId }) => ({ returnId })),
    ...chargebacks.map(({ id: chargebackId }) => ({ chargebackId })),
  ];
  return items[choose(items.length)] ?? {};
}
