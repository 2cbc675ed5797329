import type { EventCodec } from '@tillstream/domain';
import {
  newEventId,
  transact,
  type JsonObject,
  type NewEvent,
  type RecordedEvent,
} from '@tillstream/event-store';
import { iso, type Clock } from '../ports/clock.port.js';
import type { Actor } from '../requests/request.types.js';
import type { Ports } from '../parts.js';

/** An event of any aggregate. */
export type StreamEvent = { readonly type: string; readonly data: object };

/** Who or what caused an event. */
export interface Cause {
  readonly merchantId: string;
  readonly actor: Actor;
  readonly traceId?: string | undefined;
  /** The id of the command, operation, notice, holder or batch that led to the event. */
  readonly causationId?: string | undefined;
  readonly reason?: string | undefined;
}

/** The metadata of a recorded event. The store adds `hash`. */
export interface EventMetadata extends Cause {
  readonly serviceTime: string;
  readonly realTime: string;
  readonly schemaVersion: number;
}

export const serviceActor: Actor = { type: 'System', name: 'tillstream' };

export function toNewEvents<Event extends StreamEvent>(
  codec: EventCodec<Event>,
  events: readonly Event[],
  cause: Cause,
  clock: Clock,
): NewEvent[] {
  const { merchantId, actor, traceId, causationId, reason } = cause;
  const shared = {
    merchantId,
    actor: { ...actor },
    serviceTime: iso(clock.now()),
    realTime: iso(clock.realNow()),
    ...(traceId !== undefined && { traceId }),
    ...(causationId !== undefined && { causationId }),
    ...(reason !== undefined && { reason }),
  };
  return events.map((event) => {
    const { type, schemaVersion, data } = codec.encode(event);
    return { id: newEventId(), type, data: data as JsonObject, metadata: { ...shared, schemaVersion } };
  });
}

export function fromRecorded<Event extends StreamEvent>(
  codec: EventCodec<Event>,
  recorded: Pick<NewEvent, 'type' | 'data' | 'metadata'>,
): Event {
  const { schemaVersion } = recorded.metadata;
  return codec.decode({
    type: recorded.type,
    schemaVersion: typeof schemaVersion === 'number' ? schemaVersion : 0,
    data: recorded.data,
  });
}

export function eventMetadata(recorded: Pick<NewEvent, 'metadata'>): EventMetadata {
  return recorded.metadata as unknown as EventMetadata;
}

/** Whether the command caused an event of the stream. */
export function hasCommand(history: readonly RecordedEvent[], commandId: string): boolean {
  return history.some((recorded) => eventMetadata(recorded).causationId === commandId);
}

interface StreamChange<Event extends StreamEvent> {
  readonly stream: string;
  readonly codec: EventCodec<Event>;
  readonly cause: Cause;
  /** As in `transact`. */
  readonly tailEvents?: number;
}

/**
 * Decides on the events of a stream that has no repository, appends, and decides again after every conflict. Durable when it
 * resolves. @throws EventStoreError, and the errors of `decide`
 */
export async function decideAndAppend<Event extends StreamEvent, Value = void>(
  { store, clock }: Pick<Ports, 'store' | 'clock'>,
  { codec, cause, ...change }: StreamChange<Event>,
  decide: (history: readonly Event[]) => { readonly events: readonly Event[]; readonly value: Value },
): Promise<Value> {
  const result = await transact(store, {
    ...change,
    decisionsMax: Number.POSITIVE_INFINITY,
    decide: (history) => {
      const { events, value } = decide(history.map((recorded) => fromRecorded(codec, recorded)));
      return { events: toNewEvents(codec, events, cause, clock), value };
    },
  });
  if (result.kind === 'Conflict') throw new Error(`the change of ${change.stream} was not written`);
  return result.value;
}

/**
 * Appends an event that depends on no earlier event of its stream, and reads none: the last one may be of a newer version of
 * this program. Durable when it resolves. @throws EventStoreError
 */
export async function appendToEnd<Event extends StreamEvent>(
  { store, clock }: Pick<Ports, 'store' | 'clock'>,
  { stream, codec, cause }: Omit<StreamChange<Event>, 'tailEvents'>,
  event: Event,
): Promise<void> {
  const events = toNewEvents(codec, [event], cause, clock);
  const decide = () => ({ events, value: undefined });
  await transact(store, { stream, tailEvents: 1, decisionsMax: Number.POSITIVE_INFINITY, decide });
}
