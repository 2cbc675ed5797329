/** The result of a decider: events to append (none if the state has them already), or a rejection, which changes nothing. */
export type Decision<Event, Rejection, Value = undefined> =
  | { readonly kind: 'Accepted'; readonly events: readonly Event[]; readonly value: Value }
  | { readonly kind: 'Refused'; readonly refusal: Rejection };

export function accepted<Event, Value>(
  events: readonly Event[],
  value: Value,
): { readonly kind: 'Accepted'; readonly events: readonly Event[]; readonly value: Value } {
  return { kind: 'Accepted', events, value };
}

export function rejected<Rejection>(rejection: Rejection): {
  readonly kind: 'Refused';
  readonly refusal: Rejection;
} {
  return { kind: 'Refused', refusal: rejection };
}
