import { expect } from '@jest/globals';
import type { Decision } from '../aggregate.js';

/* Given a history, when a command is decided, then these events follow: for every aggregate. */

interface AnyEvent {
  readonly type: string;
  readonly data: object;
}

/** An event of which only the named fields matter to a test. */
export interface ExpectedEvent {
  readonly type: string;
  readonly data: object;
}

export interface Then<State, Event extends AnyEvent, Rejection extends { readonly code: string }, Value> {
  /** Exactly these events, in this order. */
  then(...events: ExpectedEvent[]): void;
  thenNothing(): void;
  thenRejected(code: Rejection['code']): void;
  readonly events: readonly Event[];
  readonly decision: Decision<Event, Rejection, Value>;
  /** The history with the new events, for the next command. */
  readonly and: HistoryFixture<State, Event>;
}

export interface HistoryFixture<State, Event extends AnyEvent> {
  when<Rejection extends { readonly code: string }, Value>(
    command: (state: State) => Decision<Event, Rejection, Value>,
  ): Then<State, Event, Rejection, Value>;
  readonly state: State;
}

type History<Event> = readonly (Event | readonly Event[])[];

export function givenBy<State, Event extends AnyEvent>(fold: (events: Iterable<Event>) => State) {
  return function given(...history: History<Event>): HistoryFixture<State, Event> {
    const before = history.flat() as Event[];
    const state = fold(before);
    return {
      state,
      when(command) {
        const decision = command(state);
        const events = decision.kind === 'Accepted' ? decision.events : [];
        return {
          decision,
          events,
          then: (...expected) => {
            expect(decision).toMatchObject({ kind: 'Accepted' });
            expect(events.map(({ type }) => type)).toEqual(expected.map(({ type }) => type));
            expect(events).toMatchObject(expected);
          },
          thenNothing: () => expect(decision).toMatchObject({ kind: 'Accepted', events: [] }),
          thenRejected: (code) => expect(decision).toMatchObject({ kind: 'Rejected', rejection: { code } }),
          get and() {
            return given(before, events);
          },
        };
      },
    };
  };
}
