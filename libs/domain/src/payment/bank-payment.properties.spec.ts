import fc from 'fast-check';
import type { PaymentEvent, PaymentEvents } from './payment.events.js';
import { isPending, type Operation, type Payment } from './payment.state.js';
import { bankPaymentActions } from './testing/bank-payment-arbitraries.testing.js';
import type { PaymentAction } from './testing/operation-arbitraries.testing.js';
import { SimulatedPayment } from './testing/simulated-payment.testing.js';

/** The long proof sets `PROPERTY_RUNS=100000`. */
const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 300);
const LIMIT = 60_000 + RUNS * 20;

type Check = (payment: SimulatedPayment, before: readonly PaymentEvent[]) => void;

/** Applies the actions. The bank keeps its answers, and may return an amount that was refunded already. */
function simulate(actions: readonly PaymentAction[], check: Check = () => undefined): SimulatedPayment {
  const payment = new SimulatedPayment(true, (decide) => decide(), true);
  for (const action of actions) {
    const before = [...payment.history];
    payment.apply(action);
    check(payment, before);
  }
  return payment;
}

function forAll(holds: (actions: readonly PaymentAction[]) => void): void {
  fc.assert(fc.property(bankPaymentActions, holds), { numRuns: RUNS });
}

const opened = ({ state }: SimulatedPayment): Payment | undefined =>
  state.status === 'Opened' ? state : undefined;

const sales = (payment: Payment | undefined): readonly Operation[] =>
  payment?.operations.filter(({ kind }) => kind === 'Sale') ?? [];

function typesOf(history: readonly PaymentEvent[], id: string): PaymentEvent['type'][] {
  return history.filter(({ data }) => data.operationId === id).map(({ type }) => type);
}

const OUTCOMES: readonly (keyof PaymentEvents)[] = [
  ...(['Captured', 'Refunded', 'Declined', 'NotExecuted', 'NotSent', 'Cancelled'] as const),
];

describe('any history of a bank payment', () => {
  it(
    'captured − refunded − voided − returned − held is negative only if the payment is flagged',
    () =>
      forAll((actions) => {
        simulate(actions, (simulated) => {
          const payment = opened(simulated);
          for (const sale of sales(payment)) {
            const isFlagged = payment?.flags.some(({ operationId }) => operationId === sale.id) ?? false;
            if (openAmountBy(simulated.history, sale.id) < 0) expect(isFlagged).toBe(true);
          }
        });
      }),
    LIMIT,
  );

  it(
    'a refund is accepted only within the open amount, and is always executed as a refund',
    () =>
      forAll((actions) => {
        simulate(actions, (simulated, before) => {
          const payment = opened(simulated);
          const [first, second] = simulated.history.slice(before.length);
          if (!payment || first?.type !== 'RefundRequested') return;
          // The new refund holds its amount already.
          expect(openAmountBy(simulated.history, first.data.originalOperationId)).toBeGreaterThanOrEqual(0);
          expect(first.data.executedAs).toBe('Refund');
          expect(second).toMatchObject({ type: 'TryRequested', data: { executedAs: 'Refund' } });
        });
      }),
    LIMIT,
  );

  it(
    'no void is ever accepted',
    () =>
      forAll((actions) => {
        const { history } = simulate(actions);
        expect(history.filter(({ type }) => type === 'VoidRequested' || type === 'Voided')).toEqual([]);
      }),
    LIMIT,
  );

  it(
    'a return is recorded once, however often and whenever the bank sends it',
    () =>
      forAll((actions) => {
        const { history } = simulate(actions);
        const ids = history.flatMap((event) => (event.type === 'BankReturned' ? [event.data.returnId] : []));
        expect(new Set(ids).size).toBe(ids.length);
      }),
    LIMIT,
  );

  it(
    'each operation completes once, and nothing that comes later changes its outcome',
    () =>
      forAll((actions) => {
        const outcomes = new Map<string, Operation['progress']>();
        const { history } = simulate(actions, (simulated) => {
          for (const operation of opened(simulated)?.operations ?? []) {
            if (isPending(operation)) continue;
            if (!outcomes.has(operation.id)) outcomes.set(operation.id, operation.progress);
            expect(operation.progress).toEqual(outcomes.get(operation.id));
          }
        });
        for (const id of new Set(history.map(({ data }) => data.operationId))) {
          const types = typesOf(history, id);
          expect(types.filter((type) => OUTCOMES.includes(type)).length).toBeLessThanOrEqual(1);
          expect(types.filter((type) => type === 'Submitted').length).toBeLessThanOrEqual(1);
        }
      }),
    LIMIT,
  );

  it(
    'the final answer of the bank completes what waits for it, whatever came before',
    () =>
      forAll((actions) => {
        const ending = Array.from({ length: 45 }, (_, nth): PaymentAction[] => [
          { does: 'answer', of: nth, try: 0, says: 'Approved', amount: 'all', source: 'Bank' },
        ]).flat();
        const simulated = simulate([...actions, ...ending]);
        const payment = opened(simulated);
        const waiting = payment?.operations.filter(
          (one) => isPending(one) && !isWithoutAnswer(simulated, one),
        );
        expect(waiting ?? []).toEqual([]);
      }),
    LIMIT,
  );
});

/** By the events alone, without the domain's sums: captured − refunded − returned − held. */
function openAmountBy(history: readonly PaymentEvent[], id: string): number {
  let open = 0;
  const held = new Map<string, number>();
  for (const { type, data } of history) {
    if (OUTCOMES.includes(type)) held.delete(data.operationId);
    if (type === 'RefundRequested' && data.originalOperationId === id)
      held.set(data.operationId, data.amount);
    if (type === 'Captured' && data.operationId === id) open += data.amount;
    if (type === 'BankReturned' && data.operationId === id) open -= data.amount;
    if (type === 'Refunded' && data.originalOperationId === id) open -= data.amount;
  }
  return [...held.values()].reduce((left, amount) => left - amount, open);
}

/** The bank never executes the attempt, or it declined at once and the form waits for another submission. */
function isWithoutAnswer(simulated: SimulatedPayment, operation: Operation): boolean {
  return operation.progress.status === 'AwaitingCustomer' || simulated.isNever(operation);
}
