import {
  hasUnknownOutcome,
  type AttemptedOperation,
  type OperationId,
  type OutcomeSource,
} from '@tillstream/domain';
import type { DefiniteResponse, Inquiry, Processor } from '@tillstream/processors';
import type { AttemptSender } from '../attempts/attempt.sender.js';
import { processorKey } from '../attempts/processor-requests.js';
import { type AttemptStart, startAttempt } from '../attempts/send-window.js';
import type { Parts } from '../parts.js';
import type { StreamEvent } from '../stream-repository/event-metadata.js';
import { type AttemptContext, withAttempt } from './operation.context.js';
import type { WorkItemResult } from './work-item.schedule.js';

/* The steps that the resolver's handlers share: find the processor, inquire, record its response, send. */

/** An attempt that the resolver inquires about, and the processor that it was planned for. */
export interface AttemptInquiry<State, Event extends StreamEvent, Rejection> extends AttemptContext<State> {
  readonly sender: AttemptSender<State, Event, Rejection>;
  readonly processor: Processor;
  readonly inquiry: Inquiry;
  readonly number: number;
  /** RFC 3339, real time. */
  readonly answerBefore: string;
}

/**
 * Finds the processor that an attempt was planned for by its stored name. Undefined if that processor is not configured.
 * The resolver asks no other one: its "not found" would say nothing about this attempt.
 */
export function findProcessor(
  { processors, log }: Parts,
  { id, attempt }: AttemptedOperation,
): Processor | undefined {
  const name = attempt?.processor ?? '';
  const processor = processors.named(name);
  if (!processor) log.error('processor-not-configured', { operationId: id, reason: name });
  return processor;
}

export function attemptInquiry<State, Event extends StreamEvent, Rejection>(
  { timings }: Parts,
  { aggregate }: AttemptSender<State, Event, Rejection>,
  { loaded, operation }: Pick<AttemptContext<State>, 'loaded' | 'operation'>,
): Inquiry {
  const { merchantId, channel } = aggregate.inquiryContext(loaded.state);
  const { attempt } = operation;
  return {
    merchantId,
    channel,
    account: attempt?.processorAccount ?? '',
    key: processorKey(operation.id, attempt?.number ?? 0),
    deadlineMs: timings.processorDeadline,
  };
}

/** Sends an attempt whose request event the resolver appended. */
export async function sendAttempt<State, Event extends StreamEvent, Rejection>(
  sender: AttemptSender<State, Event, Rejection>,
  { merchant, loaded, cause }: Omit<AttemptContext<State>, 'operation'>,
  operationId: AttemptedOperation['id'],
  { startedAt }: AttemptStart,
): Promise<WorkItemResult> {
  const result = await sender.send({ merchant, loaded, operationId, cause, startedAt });
  if (result.kind === 'Interrupted') return 'Again';
  await sender.aggregate.writeReadModels(result.loaded, operationId);
  return 'Done';
}

export async function recordResponse<State, Event extends StreamEvent, Rejection>(
  parts: Parts,
  { sender, merchant, loaded, operation, number, cause }: AttemptInquiry<State, Event, Rejection>,
  answer: DefiniteResponse,
  source: OutcomeSource,
): Promise<WorkItemResult> {
  const { aggregate } = sender;
  const operationId = operation.id;
  const start = startAttempt(parts);
  const written = await sender.record(loaded, { merchant, operationId, number, answer, source, cause });
  if (written.kind !== 'Written') return 'Again';
  await aggregate.writeReadModels(written.loaded, operationId);
  const recorded = aggregate.find(written.loaded.state, operationId);
  if (!recorded || !hasUnknownOutcome(recorded)) return 'Done';
  // A response that says nothing new leaves the outcome unknown. A fallback starts another attempt, which is sent now.
  if (written.events.some(({ type }) => type === aggregate.requestEventType))
    return sendAttempt(sender, { merchant, loaded: written.loaded, cause }, operationId, start);
  // Another submission made the open attempt, with a work item of its own.
  return recorded.attempt?.number === number ? 'Again' : 'Done';
}

/**
 * Records a response that arrived after the deadline. For an operation that was closed as not executed, an approval is a
 * late execution. Every other response to an attempt with an outcome changes nothing.
 */
export async function recordLateResponse(
  parts: Parts,
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
