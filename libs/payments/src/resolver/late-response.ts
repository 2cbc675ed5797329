import type { OperationId } from '@tillstream/domain';
import type { DefiniteResponse } from '@tillstream/processors';
import { withAttempt } from './attempt.context.js';
import type { ResolverParts } from './payment.context.js';

/**
 * Records an answer that arrived after the deadline. An approval of what was closed as "did not happen" becomes a late
 * approval; every other answer to an attempt that is over changes nothing.
 */
export async function recordLateResponse(
  parts: ResolverParts,
  operationId: OperationId,
  number: number,
  answer: DefiniteResponse,
): Promise<void> {
  await withAttempt(parts, operationId, async (sender, { merchant, loaded, cause }) => {
    const of = { merchant, operationId, number, answer, source: 'LateAnswer', cause } as const;
    const written = await sender.record(loaded, of);
    if (written.kind === 'Written') await sender.aggregate.writeReadModels(written.loaded, operationId);
  });
}
