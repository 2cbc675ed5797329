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

/** `types[type][n]` converts version n + 1 to n + 2. A type without upcasts has version 1 only. */
export interface EventSchemas<Type extends string> {
  readonly types: Readonly<Record<Type, readonly Upcast[]>>;
}

export interface EventCodec<Event extends { readonly type: string; readonly data: object }> {
  readonly types: readonly Event['type'][];
  versionOf(type: Event['type']): number;
  encode(event: Event): StoredEvent;
  /** @throws UnknownEvent */
  decode(stored: StoredEvent): Event;
}

export function eventCodec<Event extends { readonly type: string; readonly data: object }>({
  types,
}: EventSchemas<Event['type']>): EventCodec<Event> {
  const known = types as Readonly<Record<string, readonly Upcast[]>>;
  const upcastsOf = (type: string): readonly Upcast[] | undefined =>
    Object.hasOwn(known, type) ? known[type] : undefined;
  const versionOf = (type: string): number => (upcastsOf(type)?.length ?? 0) + 1;
  return {
    types: Object.keys(types) as Event['type'][],
    versionOf,
    encode: ({ type, data }) => ({ type, schemaVersion: versionOf(type), data }),
    decode({ type, schemaVersion, data }) {
      const upcasts = upcastsOf(type);
      const knownVersion = Number.isInteger(schemaVersion) && schemaVersion >= 1;
      if (!upcasts || !knownVersion || schemaVersion > upcasts.length + 1) {
        throw new UnknownEvent(type, schemaVersion);
      }
      const lifted = upcasts.slice(schemaVersion - 1).reduce<object>((old, lift) => lift({ ...old }), data);
      return { type, data: lifted } as Event;
    },
  };
}
