/** What a decider gives: facts to append (none where all is said already), or a reason, and then nothing changes. */
export type Decision<Event, Refusal, Value = undefined> =
  | { readonly kind: 'Accepted'; readonly events: readonly Event[]; readonly value: Value }
  | { readonly kind: 'Refused'; readonly refusal: Refusal };

export function accepted<Event, Value>(
  events: readonly Event[],
  value: Value,
): { readonly kind: 'Accepted'; readonly events: readonly Event[]; readonly value: Value } {
  return { kind: 'Accepted', events, value };
}

export function rejected<Refusal>(rejection: Refusal): {
  readonly kind: 'Refused';
  readonly refusal: Refusal;
} {
  return { kind: 'Refused', refusal: rejection };
}
