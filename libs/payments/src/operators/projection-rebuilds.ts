import { projectionRebuildCodec, projectionRebuildStream } from '@tillstream/domain/service';
import { iso } from '../ports/clock.port.js';
import { appendToEnd } from '../stream-repository/event-metadata.js';
import { newCommandId } from '../identifiers.js';
import type { OperatorContext } from '../unknown-outcomes/unknown-outcomes.types.js';
import type { Ports } from '../parts.js';

/** Records that an operator ordered a rebuild of a projection. Durable when it resolves. */
export async function recordRebuild(
  ports: Pick<Ports, 'store' | 'clock'>,
  { actor, traceId }: OperatorContext,
  projection: string,
): Promise<void> {
  const commandId = newCommandId();
  const { name, keyId = '' } = actor;
  const data = { at: iso(ports.clock.now()), commandId, projection, by: { keyId, name } };
  const cause = { merchantId: '', actor, traceId, causationId: commandId };
  const change = { stream: projectionRebuildStream(projection), codec: projectionRebuildCodec, cause };
  await appendToEnd(ports, change, { type: 'ProjectionRebuildOrdered', data });
}
