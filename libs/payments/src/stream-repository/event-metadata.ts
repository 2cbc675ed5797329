import type { EventCodec } from '@tillstream/domain';
import { newEventId, type JsonObject, type NewEvent } from '@tillstream/event-store';
import { iso, type Clock } from '../ports/clock.port.js';
import type { Actor } from '../requests/request.types.js';

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
export interface EventMetadata {
  readonly merchantId: string;
  readonly actor: Actor;
  readonly serviceTime: string;
  readonly realTime: string;
  readonly schemaVersion: number;
  readonly traceId?: string;
  readonly causationId?: string;
  readonly reason?: string;
}

export const serviceActor: Actor = { type: 'System', name: 'tillstream' };

export function toNewEvents<Event extends { readonly type: string; readonly data: object }>(
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

export function fromRecorded<Event extends { readonly type: string; readonly data: object }>(
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
