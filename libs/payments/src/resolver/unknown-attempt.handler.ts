import type { AttemptedOperation, OperationId, OutcomeSource } from '@tillstream/domain';
import { isDeferred, hasUnknownOutcome } from '@tillstream/domain';
import type { DefiniteResponse, Inquiry, InquiryResult, Processor } from '@tillstream/processors';
import { processorKey, startAttempt, type AttemptSender, type AttemptStart } from '../attempts/index.js';
import { iso, type Clock } from '../ports/clock.port.js';
import type { PaymentsLog } from '../ports/log.port.js';
import type { Timings } from '../timings.js';
import type { AttemptContext, StreamEvent } from './attempt.context.js';
import type { WorkItemResult } from './work-item.result.js';

/*
 * An attempt without an outcome, of whatever aggregate: the resolver asks its own processor until the outcome is known,
 * and never guesses (payment protocol 4).
 */

interface AttemptHandlerParts {
  readonly processors: { named(name: string): Processor | undefined };
  readonly clock: Clock;
  readonly timings: Timings;
  readonly log: PaymentsLog;
}

/** An attempt that is asked about, and the one processor that is asked. */
interface AttemptInquiry<State, Event extends StreamEvent, Refusal> extends AttemptContext<State> {
  readonly sender: AttemptSender<State, Event, Refusal>;
  readonly processor: Processor;
  readonly inquiry: Inquiry;
  readonly number: number;
  readonly answerBefore: string;
}

export async function resolveAttempt<State, Event extends StreamEvent, Refusal>(
  parts: AttemptHandlerParts,
  sender: AttemptSender<State, Event, Refusal>,
  found: AttemptContext<State>,
): Promise<WorkItemResult> {
  const { operation } = found;
  const { attempt: attempt, progress } = operation;
  if (!attempt || !hasUnknownOutcome(operation)) return 'Done';
  const isInFlight = progress.status === 'InFlight';
  if (isInFlight && parts.clock.realNow() < Date.parse(attempt.answerBefore)) return 'Again';
  const processor = findProcessor(parts, operation);
  if (!processor) return 'Operator';
  const interrupted = isInFlight ? await abandon(parts, sender, found) : found;
  const { number, answerBefore } = attempt;
  const inquiry = attemptInquiry(parts, sender, interrupted, number);
  const asked = { ...interrupted, sender, processor, inquiry, number, answerBefore };
  const { answer, source } = await askProcessor(asked);
  switch (answer.kind) {
    case 'Found':
      return record(parts, asked, answer.answer, source);
    case 'NotFound':
      return handleNotReceived(parts, asked);
    case 'StillRunning':
    case 'NoAnswer':
      return 'Again';
  }
}

/**
 * An answer that was promised for later, by a bank or after a challenge, and that no notice has brought. It is asked for
 * until it is known; an attempt that a processor has accepted is never annulled.
 */
export async function resolveDelayedResponse<State, Event extends StreamEvent, Refusal>(
  parts: AttemptHandlerParts,
  sender: AttemptSender<State, Event, Refusal>,
  found: AttemptContext<State>,
): Promise<WorkItemResult> {
  const { operation } = found;
  const { attempt: attempt } = operation;
  if (!attempt || !isDeferred(operation)) return 'Done';
  const processor = findProcessor(parts, operation);
  if (!processor) return 'Operator';
  const { number, answerBefore } = attempt;
  const inquiry = attemptInquiry(parts, sender, found, number);
  const answer = await processor.inquire(inquiry);
  if (answer.kind !== 'Found') return 'Again';
  const asked = { ...found, sender, processor, inquiry, number, answerBefore };
  const isFinal = answer.answer.kind !== 'Submitted' && answer.answer.kind !== 'ChallengeRequired';
  return isFinal ? record(parts, asked, answer.answer, 'Inquiry') : 'Again';
}

/**
 * The processor that an attempt was planned for, by the name that history keeps. Undefined: none of that name is
 * configured. Another processor would say "not found", which is not true of this attempt: operators have to look.
 */
export function findProcessor(
  { processors, log }: Pick<AttemptHandlerParts, 'processors' | 'log'>,
  { id, attempt: attempt }: AttemptedOperation,
): Processor | undefined {
  const name = attempt?.processor ?? '';
  const processor = processors.named(name);
  if (!processor) log.error('processor-not-configured', { operationId: id, reason: name });
  return processor;
}

export function attemptInquiry<State, Event extends StreamEvent, Refusal>(
  { timings }: Pick<AttemptHandlerParts, 'timings'>,
  { aggregate }: AttemptSender<State, Event, Refusal>,
  { loaded, operation }: Pick<AttemptContext<State>, 'loaded' | 'operation'>,
  number: number,
): Inquiry {
  const { merchantId, channel } = aggregate.inquiryContext(loaded.state);
  return {
    merchantId,
    channel,
    account: operation.attempt?.processorAccount ?? '',
    key: processorKey(operation.id, number),
    deadlineMs: timings.processorDeadline,
  };
}

/** Sends an attempt that was written down by the resolver. */
export async function sendAttempt<State, Event extends StreamEvent, Refusal>(
  sender: AttemptSender<State, Event, Refusal>,
  { merchant, loaded, cause }: Omit<AttemptContext<State>, 'operation'>,
  operationId: OperationId,
  { startedAt }: AttemptStart,
): Promise<WorkItemResult> {
  const result = await sender.send(merchant, loaded, operationId, cause, startedAt);
  if (result.kind === 'Interrupted') return 'Again';
  await sender.aggregate.writeReadModels(result.loaded, operationId);
  return 'Done';
}

/** Its sender must be dead: that is recorded before the processor is asked. */
async function abandon<State, Event extends StreamEvent, Refusal>(
  { clock }: AttemptHandlerParts,
  { aggregate }: AttemptSender<State, Event, Refusal>,
  found: AttemptContext<State>,
): Promise<AttemptContext<State>> {
  const { operation, loaded, cause } = found;
  const command = {
    ...{ at: iso(clock.now()), operationId: operation.id, try: operation.attempt?.number ?? 0 },
    ...({ cause: 'Abandoned', lostLink: false } as const),
  };
  const written = await aggregate.repository.transact(
    loaded.stream,
    cause,
    (state) => aggregate.steps.interrupt(state, command),
    { known: loaded },
  );
  return written.kind === 'Written' ? { ...found, loaded: written.loaded } : found;
}

/** A terminal whose answer was lost is asked for its last transaction first; the processor may know what it does not. */
async function askProcessor<State, Event extends StreamEvent, Refusal>({
  sender,
  processor,
  loaded,
  operation,
  inquiry,
}: AttemptInquiry<State, Event, Refusal>): Promise<{
  readonly answer: InquiryResult;
  readonly source: OutcomeSource;
}> {
  const { terminalId } = sender.aggregate.inquiryContext(loaded.state);
  const { progress } = operation as { readonly progress: { readonly lostLink?: boolean } };
  if (progress.lostLink === true && terminalId !== undefined) {
    const answer = await processor.lastTransaction(terminalId, inquiry);
    if (answer.kind !== 'NotFound') return { answer, source: 'LastTransaction' };
  }
  return { answer: await processor.inquire(inquiry), source: 'Inquiry' };
}

/** What takes a customer's money is stopped for good; what finishes something begun is sent again. */
async function handleNotReceived<State, Event extends StreamEvent, Refusal>(
  parts: AttemptHandlerParts,
  asked: AttemptInquiry<State, Event, Refusal>,
): Promise<WorkItemResult> {
  const { sender, processor, inquiry, operation } = asked;
  // It said before that it has it, so this can't be true: people have to look, once the inquiries are over.
  if (operation.attempt?.accepted) return 'Again';
  if (!sender.aggregate.canResend(operation)) return annulOrClose(parts, asked);
  return processor.capabilities(inquiry.channel).idempotentKeys ? sendAgain(parts, asked) : 'Operator';
}

/** Closed only after the processor's promise never to execute it, or after its whole in-flight window. */
async function annulOrClose<State, Event extends StreamEvent, Refusal>(
  parts: AttemptHandlerParts,
  asked: AttemptInquiry<State, Event, Refusal>,
): Promise<WorkItemResult> {
  const { processor, inquiry, answerBefore } = asked;
  const { annul, inFlightWindowMs } = processor.capabilities(inquiry.channel);
  if (!annul) {
    const windowOver = Date.parse(answerBefore) + inFlightWindowMs;
    return parts.clock.realNow() > windowOver ? close(parts, asked, 'Inquiry') : 'Again';
  }
  const answer = await processor.annul(inquiry);
  switch (answer.kind) {
    case 'Annulled':
      return close(parts, asked, 'Annul');
    case 'AlreadyExecuted':
      return record(parts, asked, answer.answer, 'Annul');
    case 'NoAnswer':
      return 'Again';
  }
}

async function close<State, Event extends StreamEvent, Refusal>(
  { clock }: AttemptHandlerParts,
  { sender: { aggregate }, loaded, operation, number, cause }: AttemptInquiry<State, Event, Refusal>,
  source: OutcomeSource,
): Promise<WorkItemResult> {
  const command = { at: iso(clock.now()), operationId: operation.id, try: number, source };
  const written = await aggregate.repository.transact(
    loaded.stream,
    cause,
    (state) => aggregate.steps.closeNotExecuted(state, command),
    { known: loaded },
  );
  if (written.kind === 'Written') await aggregate.writeReadModels(written.loaded, operation.id);
  return written.kind === 'Contended' ? 'Again' : 'Done';
}

/** Under the same key, so that it is done once; written down first, so that the first sender can't take it back. */
async function sendAgain<State, Event extends StreamEvent, Refusal>(
  parts: AttemptHandlerParts,
  { sender, merchant, loaded, operation, number, cause }: AttemptInquiry<State, Event, Refusal>,
): Promise<WorkItemResult> {
  const { aggregate } = sender;
  const start = startAttempt(parts);
  const at = iso(parts.clock.now());
  const command = { at, operationId: operation.id, try: number, ...start.window };
  const written = await aggregate.repository.transact(
    loaded.stream,
    cause,
    (state) => aggregate.steps.resend(state, command),
    { known: loaded },
  );
  if (written.kind === 'Contended') return 'Again';
  if (written.kind === 'Rejected') return 'Done';
  return sendAttempt(sender, { merchant, loaded: written.loaded, cause }, operation.id, start);
}

async function record<State, Event extends StreamEvent, Refusal>(
  parts: AttemptHandlerParts,
  { sender, merchant, loaded, operation, number, cause }: AttemptInquiry<State, Event, Refusal>,
  answer: DefiniteResponse,
  source: OutcomeSource,
): Promise<WorkItemResult> {
  const { aggregate } = sender;
  const operationId = operation.id;
  const start = startAttempt(parts);
  const written = await sender.record(loaded, { merchant, operationId, number, answer, source, cause });
  if (written.kind !== 'Written') return 'Again';
  await aggregate.writeReadModels(written.loaded, operationId);
  const next = aggregate.find(written.loaded.state, operationId);
  if (!next || !hasUnknownOutcome(next)) return 'Done';
  // An answer that said nothing new leaves the outcome unknown: it is asked for again.
  const fallsBack = next.progress.status === 'InFlight' && next.attempt?.number !== number;
  return fallsBack
    ? sendAttempt(sender, { merchant, loaded: written.loaded, cause }, operationId, start)
    : 'Again';
}
