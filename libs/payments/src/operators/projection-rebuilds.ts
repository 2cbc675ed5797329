import { projectionRebuildCodec, projectionRebuildStream } from '@tillstream/domain';
import type { EventStore } from '@tillstream/event-store';
import { iso, type Clock } from '../ports/clock.port.js';
import { toNewEvents } from '../stream-repository/event-metadata.js';
import { appendToEnd } from '../stream-repository/append-to-end.js';
import { newCommandId } from '../identifiers.js';
import type { OperatorContext } from '../unknown-outcomes/unknown-outcomes.types.js';

/** Records that an operator ordered a rebuild of a projection. Durable when it resolves. */
export async function recordRebuild(
  { store, clock }: { readonly store: EventStore; readonly clock: Clock },
  { actor, traceId }: OperatorContext,
  projection: string,
): Promise<void> {
  const commandId = newCommandId();
  const { name, keyId = '' } = actor;
  const data = { at: iso(clock.now()), commandId, projection, by: { keyId, name } };
  const cause = { merchantId: '', actor, traceId, causationId: commandId };
  const events = [{ type: 'ProjectionRebuildOrdered', data } as const];
  await appendToEnd(
    store,
    projectionRebuildStream(projection),
    toNewEvents(projectionRebuildCodec, events, cause, clock),
  );
}
