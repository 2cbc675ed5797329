import { eventCodec, type Event } from '../../shared/aggregate.js';

export const projectionRebuildStream = (projection: string): string => `projection-${projection}`;

/** Storage: this shape never changes. Which operator ordered a rebuild of a list. For audits only: it has no effect. */
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
