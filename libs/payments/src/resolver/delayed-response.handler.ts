import { isDeferred } from '@tillstream/domain';
import type { AttemptSender } from '../attempts/index.js';
import type { AttemptContext, StreamEvent } from './attempt.context.js';
import {
  attemptInquiry,
  findProcessor,
  recordResponse,
  type AttemptHandlerParts,
} from './attempt-inquiry.js';
import type { WorkItemResult } from './work-item.result.js';

/**
 * Inquires about a response that a bank, or a processor after a challenge, promised for later and that no processor notice
 * brought. It never annuls the attempt, because the processor has accepted it.
 */
export async function resolveDelayedResponse<State, Event extends StreamEvent, Rejection>(
  parts: AttemptHandlerParts,
  sender: AttemptSender<State, Event, Rejection>,
  found: AttemptContext<State>,
): Promise<WorkItemResult> {
  const { operation } = found;
  const { attempt } = operation;
  if (!attempt || !isDeferred(operation)) return 'Done';
  const processor = findProcessor(parts, operation);
  if (!processor) return 'Operator';
  const { number, answerBefore } = attempt;
  const inquiry = attemptInquiry(parts, sender, found);
  const result = await processor.inquire(inquiry);
  if (result.kind !== 'Found') return 'Again';
  const isFinal = result.answer.kind !== 'Submitted' && result.answer.kind !== 'ChallengeRequired';
  if (!isFinal) return 'Again';
  const inquired = { ...found, sender, processor, inquiry, number, answerBefore };
  return recordResponse(parts, inquired, result.answer, 'Inquiry');
}
