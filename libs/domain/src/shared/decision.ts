export interface Accepted<Event, Value> {
  readonly kind: 'Accepted';
  readonly events: readonly Event[];
  readonly value: Value;
}

export interface Rejected<Rejection> {
  readonly kind: 'Rejected';
  readonly rejection: Rejection;
}

/** The result of a decider: events to append (none if the state has them already), or a rejection, which changes nothing. */
export type Decision<Event, Rejection, Value = undefined> = Accepted<Event, Value> | Rejected<Rejection>;

export function accepted<Event, Value>(events: readonly Event[], value: Value): Accepted<Event, Value> {
  return { kind: 'Accepted', events, value };
}

export function rejected<Rejection>(rejection: Rejection): Rejected<Rejection> {
  return { kind: 'Rejected', rejection };
}
