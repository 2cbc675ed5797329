import type { PaymentDecision, PaymentErrorCode } from '../payment.commands.js';
import type { PaymentEvent, PaymentEvents } from '../payment.events.js';
import { foldPayment } from '../payment.evolve.js';
import type { Operation, Payment, PaymentFlag, PaymentState } from '../payment.state.js';
import { trx } from './histories.testing.js';

/** A command that is decided on a state. */
export type DecisionFunction = (state: PaymentState) => PaymentDecision;

/** An event of which only the named fields matter to a test. */
interface ExpectedEvent {
  readonly type: keyof PaymentEvents;
  readonly data: object;
}

export function an<Type extends keyof PaymentEvents>(
  type: Type,
  data: Partial<PaymentEvents[Type]> = {},
): ExpectedEvent {
  return { type, data };
}

interface Then {
  /** Exactly these events, in this order. */
  then(...events: ExpectedEvent[]): void;
  thenNothing(): void;
  thenRejected(code: PaymentErrorCode, details?: RegExp): void;
  /** The payment after the accepted events. */
  readonly payment: Payment;
  readonly decision: PaymentDecision;
  /** The history with the new events, for the next command. */
  readonly and: Given;
}

interface Given {
  when(command: DecisionFunction): Then;
  readonly payment: Payment;
  operation(number: number): Operation;
  flags(): PaymentFlag['kind'][];
}

export function given(...history: readonly (PaymentEvent | readonly PaymentEvent[])[]): Given {
  const events = history.flat() as PaymentEvent[];
  const state = foldPayment(events);
  return {
    when: (command) => decisionResult(events, command(state)),
    get payment() {
      return opened(state);
    },
    operation: (number) => operationNumber(opened(state), number),
    flags: () => opened(state).flags.map(({ kind }) => kind),
  };
}

function decisionResult(history: readonly PaymentEvent[], decision: PaymentDecision): Then {
  const events = decision.kind === 'Accepted' ? decision.events : [];
  return {
    decision,
    then: (...expected) => {
      expect(decision).toMatchObject({ kind: 'Accepted' });
      expect(events.map(({ type }) => type)).toEqual(expected.map(({ type }) => type));
      expect(events).toMatchObject(expected);
    },
    thenNothing: () => expect(decision).toMatchObject({ kind: 'Accepted', events: [] }),
    thenRejected: (code, details) => {
      expect(decision).toMatchObject({ kind: 'Rejected', rejection: { code } });
      if (details && decision.kind === 'Rejected') expect(decision.rejection.details).toMatch(details);
    },
    get payment() {
      return opened(foldPayment([...history, ...events]));
    },
    get and() {
      return given(history, events);
    },
  };
}

function opened(state: PaymentState): Payment {
  if (state.status === 'None') throw new Error('nothing was opened');
  return state;
}

function operationNumber(payment: Payment, number: number): Operation {
  const operation = payment.operations.find(({ id }) => id === trx(number));
  if (!operation) throw new Error(`no operation ${number}`);
  return operation;
}
