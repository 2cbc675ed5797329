/** Makes the fold of an aggregate: the state that `events` lead to, from `initial` or from an earlier state. */
export function foldOf<State, Event>(
  evolve: (state: State, event: Event) => State,
  initial: State,
): (events: Iterable<Event>, from?: State) => State {
  return (events, from = initial) => {
    let state = from;
    for (const event of events) state = evolve(state, event);
    return state;
  };
}
