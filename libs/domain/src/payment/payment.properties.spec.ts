import fc from 'fast-check';
import { FIRST_SERVICE_OPERATION, parseOperationId } from '../shared/ids.js';
import { paymentCodec, type PaymentEvent, type PaymentEvents } from './payment.events.js';
import type { PaymentDecision } from './payment.commands.js';
import { foldPayment } from './payment.evolve.js';
import { authorizationBalance, captureBalance } from './payment.balance.js';
import { movedAmount, type Payment, type PaymentState } from './payment.state.js';
import { paymentActions, type PaymentAction } from './testing/operation-arbitraries.testing.js';
import { deepFreeze } from './testing/amount-choice.testing.js';
import { SimulatedPayment } from './testing/simulated-payment.testing.js';

/** The long proof sets `PROPERTY_RUNS=100000`. */
const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 300);
const options = { numRuns: RUNS };
const LIMIT = 60_000 + RUNS * 20;

type Check = (payment: SimulatedPayment) => void;

function simulate(
  actions: readonly PaymentAction[],
  honest: boolean,
  check: Check = () => undefined,
  onDecision: DecisionHook = (decide) => decide(),
): SimulatedPayment {
  const payment = new SimulatedPayment(honest, onDecision);
  for (const action of actions) {
    payment.apply(action);
    check(payment);
  }
  return payment;
}

type DecisionHook = (decide: () => PaymentDecision, before: PaymentState) => PaymentDecision;

function operationsOverLimit(payment: Payment): string[] {
  return payment.operations.flatMap((operation) => {
    if (operation.kind === 'Auth') {
      const { authorized, captured, released, held } = authorizationBalance(payment, operation);
      return captured + released + held > authorized ? [operation.id] : [];
    }
    if (operation.kind !== 'Sale' && operation.kind !== 'Capture') return [];
    const { captured, refunded, voided, returned, held } = captureBalance(payment, operation);
    return refunded + voided + returned + held > captured ? [operation.id] : [];
  });
}

describe('any history of a payment', () => {
  it(
    'with an honest processor captured + released + held ≤ authorized, refunded + voided + returned + held ≤ captured',
    () => {
      fc.assert(
        fc.property(paymentActions, (actions) => {
          simulate(actions, true, ({ state }) => {
            if (state.status === 'None') return;
            expect(operationsOverLimit(state)).toEqual([]);
            expect(state.flags.filter(({ kind }) => kind.startsWith('Over'))).toEqual([]);
          });
        }),
        options,
      );
    },
    LIMIT,
  );

  it(
    'with an honest processor no approval is ever late and no fact is lost',
    () => {
      fc.assert(
        fc.property(paymentActions, (actions) => {
          const { history } = simulate(actions, true);
          expect(history.filter(({ type }) => type === 'LateApprovalFound')).toEqual([]);
        }),
        options,
      );
    },
    LIMIT,
  );

  it(
    'facts that break a limit are recorded, and flagged once the limit is known',
    () => {
      fc.assert(
        fc.property(paymentActions, (actions) => {
          simulate(actions, false, ({ state }) => {
            if (state.status === 'None') return;
            const { operations, flags } = state;
            for (const id of operationsOverLimit(state)) {
              const operation = operations.find((candidate) => candidate.id === id);
              if (operation?.progress.status !== 'Approved') continue;
              expect(flags.map(({ operationId }) => operationId)).toContain(id);
            }
            for (const operation of operations) {
              if (movedAmount(operation) <= operation.amount) continue;
              expect(flags).toContainEqual({ kind: expect.anything(), operationId: operation.id });
            }
          });
        }),
        options,
      );
    },
    LIMIT,
  );

  it(
    'deciding is pure, and a rejection has nothing but its reason',
    () => {
      fc.assert(
        fc.property(paymentActions, fc.boolean(), (actions, honest) => {
          simulate(actions, honest, undefined, (decide, before) => {
            deepFreeze(before);
            const decision = decide();
            expect(decide()).toEqual(decision);
            if (decision.kind === 'Rejected')
              expect(Object.keys(decision).sort()).toEqual(['kind', 'rejection']);
            return decision;
          });
        }),
        options,
      );
    },
    LIMIT,
  );

  it(
    'events fold to the same state after a round trip through JSON and the codec',
    () => {
      fc.assert(
        fc.property(paymentActions, fc.boolean(), (actions, honest) => {
          const { history, state } = simulate(actions, honest);
          const stored = history.map((event) => JSON.parse(JSON.stringify(paymentCodec.encode(event))));
          const events = stored.map((event) => paymentCodec.decode(event));
          expect(events).toEqual(history);
          expect(foldPayment(events)).toEqual(state);
        }),
        options,
      );
    },
    LIMIT,
  );

  it(
    'operations, attempts and outcomes keep their order',
    () => {
      fc.assert(
        fc.property(paymentActions, fc.boolean(), (actions, honest) => {
          expectOrder(simulate(actions, honest).history);
        }),
        options,
      );
    },
    LIMIT,
  );

  it('the generated histories contain every event type', () => {
    const seen = new Set<keyof PaymentEvents>();
    for (const actions of fc.sample(paymentActions, { numRuns: 3000, seed: 1 })) {
      for (const { type } of simulate(actions, false).history) seen.add(type);
    }
    expect([...seen].sort()).toEqual([...paymentCodec.types].sort());
  });
});

const ENDINGS = new Set<keyof PaymentEvents>([
  'Captured',
  'Refunded',
  'Voided',
  'Reversed',
  'Declined',
  'Cancelled',
  'FormExpired',
  'NotExecuted',
  'NotSent',
]);

/** Each id is used once; each command requests one operation; attempts count up, one at a time; an operation ends once; amounts are whole cents. */
function expectOrder(history: readonly PaymentEvent[]): void {
  const operations = new Map<string, { tries: number; open: boolean; ended: boolean; sale: boolean }>();
  const requestedBy = new Map<string, string>();
  let nextNumber = 0;
  let nextServiceNumber = FIRST_SERVICE_OPERATION;
  for (const { type, data } of history) {
    for (const value of Object.values(data)) {
      if (typeof value === 'number') expect(Number.isSafeInteger(value)).toBe(true);
    }
    const operation = operations.get(data.operationId);
    const isRequest = type.endsWith('Requested') && type !== 'TryRequested' && type !== 'ResendRequested';
    if (isRequest) {
      expect(operation).toBeUndefined();
      expect(parseOperationId(data.operationId)?.number).toBe(
        type === 'ReversalRequested' ? nextServiceNumber++ : nextNumber++,
      );
      operations.set(data.operationId, {
        tries: 0,
        open: false,
        ended: false,
        sale: type === 'SaleRequested',
      });
    }
    if ('commandId' in data && type.endsWith('Requested')) {
      expect(requestedBy.get(data.commandId) ?? data.operationId).toBe(data.operationId);
      requestedBy.set(data.commandId, data.operationId);
    }
    if (isRequest || !operation) {
      expect(isRequest).toBe(true);
      continue;
    }
    if (type === 'TryRequested') {
      expect(operation).toMatchObject({ tries: data.try - 1, open: false, ended: false });
      Object.assign(operation, { tries: data.try, open: true });
    }
    if (type === 'TryFailed') {
      expect(operation).toMatchObject({ tries: data.try, open: true, ended: false });
      operation.open = false;
    }
    if (ENDINGS.has(type) || (type === 'Authorized' && !operation.sale)) {
      expect(operation.ended).toBe(false);
      Object.assign(operation, { open: false, ended: true });
    }
  }
}
