import { projectionRebuildCodec, projectionRebuildStream } from '@tillstream/domain';
import { transact, type EventStore } from '@tillstream/event-store';
import { iso, type Clock } from '../ports/clock.port.js';
import { toNewEvents } from '../stream-repository/event-metadata.js';
import { newCommandId } from '../identifiers.js';
import type { OperatorContext } from '../unknown-outcomes/unknown-outcomes.types.js';

/** Records that an operator has a list made anew; durable when it resolves. */
export async function recordRebuild(
  { store, clock }: { readonly store: EventStore; readonly clock: Clock },
  { actor, traceId }: OperatorContext,
  projection: string,
): Promise<void> {
  const commandId = newCommandId();
  const { name, keyId = '' } = actor;
  const data = { at: iso(clock.now()), commandId, projection, by: { keyId, name } };
  const cause = { merchantId: '', actor, traceId, causationId: commandId };
  await transact(store, {
    stream: projectionRebuildStream(projection),
    tailEvents: 1,
    attempts: Number.POSITIVE_INFINITY,
    decide: () => ({
      events: toNewEvents(projectionRebuildCodec, [{ type: 'ProjectionRebuildOrdered', data }], cause, clock),
      value: undefined,
    }),
  });
}
