import type { OperationId } from '@tillstream/domain';
import type { DefiniteResponse } from '@tillstream/processors';
import { withAttempt } from './attempt.context.js';
import type { ResolverParts } from './payment.context.js';

/**
 * Records a response that arrived after the deadline. For an operation that was closed as not executed, an approval is a
 * late execution. Every other response to an attempt with an outcome changes nothing.
 */
export async function recordLateResponse(
  parts: ResolverParts,
  operationId: OperationId,
  number: number,
  answer: DefiniteResponse,
): Promise<void> {
  await withAttempt(parts, operationId, async (sender, { merchant, loaded, cause }) => {
    const response = { merchant, operationId, number, answer, source: 'LateAnswer', cause } as const;
    const written = await sender.record(loaded, response);
    if (written.kind === 'Written') await sender.aggregate.writeReadModels(written.loaded, operationId);
  });
}
