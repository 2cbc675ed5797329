import { streamOfTokenOperation, type OperationId } from '@tillstream/domain';
import type { DefiniteAnswer } from '@tillstream/processors';
import type { AttemptSender } from '../attempts/index.js';
import type { AttemptCase } from './attempt.work.js';
import { load, type ResolveParts } from './case.js';
import { loadToken } from './token.case.js';

/**
 * Records an answer that arrived after the deadline. An approval of what was closed as "did not happen" becomes a late
 * approval; every other answer to an attempt that is over changes nothing.
 */
export async function recordLateAnswer(
  parts: ResolveParts,
  operationId: OperationId,
  number: number,
  answer: DefiniteAnswer,
): Promise<void> {
  if (streamOfTokenOperation(operationId) === undefined) {
    const found = await load(parts, operationId);
    if (found) await record(parts.paymentSender, found, number, answer);
    return;
  }
  const found = await loadToken(parts, operationId);
  if (found) await record(parts.verificationSender, found, number, answer);
}

async function record<State, Event extends { readonly type: string; readonly data: object }, Refusal>(
  sender: AttemptSender<State, Event, Refusal>,
  { merchant, loaded, operation, cause }: AttemptCase<State>,
  number: number,
  answer: DefiniteAnswer,
): Promise<void> {
  const operationId = operation.id;
  const of = { merchant, operationId, number, answer, source: 'LateAnswer', cause } as const;
  const written = await sender.record(loaded, of);
  if (written.kind === 'Written') await sender.attempted.recorded(written.loaded, operationId);
}
