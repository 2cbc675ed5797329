import { eventCodec } from '../../shared/codec.js';
import type { Event } from '../../payment/payment.events.js';

/** Who had a list made anew from the events. Nothing follows from it: it is for those who ask later. */
export type ProjectionRebuildEvent = Event<'ProjectionRebuildOrdered', ProjectionRebuildOrdered>;

export interface ProjectionRebuildOrdered {
  readonly at: string;
  readonly commandId: string;
  readonly projection: string;
  readonly by: { readonly keyId: string; readonly name: string };
}

export const projectionRebuildCodec = eventCodec<ProjectionRebuildEvent>({
  types: { ProjectionRebuildOrdered: [] },
});

export const projectionRebuildStream = (projection: string): string => `projection-${projection}`;
