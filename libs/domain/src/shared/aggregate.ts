/*
 * The parts of an aggregate: a union of events, their codec, the fold that gives the state, and deciders, which are
 * `(state, command) => Decision`.
 */

export interface Event<Type extends string, Data> {
  readonly type: Type;
  readonly data: Data;
}

/** The union of events whose data `Data` lists by type. */
export type EventsOf<Data> = { [Type in keyof Data & string]: Event<Type, Data[Type]> }[keyof Data & string];

/** An event as a store keeps it: its data, and the version of their shape. */
export interface StoredEvent {
  readonly type: string;
  readonly schemaVersion: number;
  readonly data: object;
}

/**
 * An event of a type or version that this program does not know. Readers never skip it: a decision fails, a projection
 * halts. So new readers are deployed before new writers.
 */
export class UnknownEvent extends Error {
  override readonly name = 'UnknownEvent';
  constructor(
    readonly type: string,
    readonly schemaVersion: number,
  ) {
    super(`this version does not know ${type} in schema version ${schemaVersion}`);
  }
}

/** Converts event data from one schema version to the next. */
export type Upcast = (data: Record<string, unknown>) => Record<string, unknown>;

export interface EventCodec<One extends Event<string, object>> {
  readonly types: readonly One['type'][];
  versionOf(type: One['type']): number;
  encode(event: One): StoredEvent;
  /** @throws UnknownEvent */
  decode(stored: StoredEvent): One;
}

/** `types[type][n]` converts version n + 1 to n + 2. A type without upcasts has version 1 only. */
export function eventCodec<One extends Event<string, object>>({
  types,
}: {
  readonly types: Readonly<Record<One['type'], readonly Upcast[]>>;
}): EventCodec<One> {
  const known = types as Readonly<Record<string, readonly Upcast[]>>;
  const upcastsOf = (type: string): readonly Upcast[] | undefined =>
    Object.hasOwn(known, type) ? known[type] : undefined;
  const versionOf = (type: string): number => (upcastsOf(type)?.length ?? 0) + 1;
  return {
    types: Object.keys(types) as One['type'][],
    versionOf,
    encode: ({ type, data }) => ({ type, schemaVersion: versionOf(type), data }),
    decode({ type, schemaVersion, data }) {
      const upcasts = upcastsOf(type);
      const knownVersion = Number.isInteger(schemaVersion) && schemaVersion >= 1;
      if (!upcasts || !knownVersion || schemaVersion > upcasts.length + 1) {
        throw new UnknownEvent(type, schemaVersion);
      }
      const lifted = upcasts.slice(schemaVersion - 1).reduce<object>((old, lift) => lift({ ...old }), data);
      return { type, data: lifted } as One;
    },
  };
}

/** A history that no decision could have made: the store was tampered with, or a rule has a fault. */
export class ImpossibleHistory extends Error {
  override readonly name = 'ImpossibleHistory';
}

/**
 * For each type of event, the next state. `evolve` throws `ImpossibleHistory` if no decision could have made the history.
 */
export type Evolvers<State, One extends Event<string, object>> = {
  readonly [Type in One['type']]: (
    state: State,
    data: Extract<One, { readonly type: Type }>['data'],
    type: Type,
  ) => State;
};

export function evolveBy<State, One extends Event<string, object>>(
  evolvers: Evolvers<State, One>,
): (state: State, event: One) => State {
  return (state, { type, data }) => {
    if (!Object.hasOwn(evolvers, type)) throw new ImpossibleHistory(`event type ${type} is not handled`);
    const evolve = evolvers[type as One['type']] as (state: State, data: object, type: string) => State;
    return evolve(state, data, type);
  };
}

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

/** Events to append (none if the state has them already) and a value, or a rejection, which changes nothing. */
export type Decision<Event, Rejection, Value = undefined> = Accepted<Event, Value> | Rejected<Rejection>;

export interface Accepted<Event, Value> {
  readonly kind: 'Accepted';
  readonly events: readonly Event[];
  readonly value: Value;
}

export interface Rejected<Rejection> {
  readonly kind: 'Rejected';
  readonly rejection: Rejection;
}

export function accepted<Event, Value>(events: readonly Event[], value: Value): Accepted<Event, Value> {
  return { kind: 'Accepted', events, value };
}

export function rejected<Rejection>(rejection: Rejection): Rejected<Rejection> {
  return { kind: 'Rejected', rejection };
}
