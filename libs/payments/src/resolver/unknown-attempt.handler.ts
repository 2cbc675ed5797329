import { accepted, hasUnknownOutcome, isDeferred, type OutcomeSource } from '@tillstream/domain';
import type { InquiryResult } from '@tillstream/processors';
import { iso } from '../ports/clock.port.js';
import {
  attemptInquiry,
  findProcessor,
  recordResponse,
  sendAttempt,
  type AttemptInquiry,
} from './attempt-inquiry.js';
import type { AttemptSender } from '../attempts/attempt.sender.js';
import { startAttempt } from '../attempts/send-window.js';
import type { Parts } from '../parts.js';
import type { StreamEvent } from '../stream-repository/event-metadata.js';
import type { AttemptContext } from './operation.context.js';
import type { WorkItemResult } from './work-item.schedule.js';

/**
 * Finds the outcome of an attempt that has none. The resolver asks the processor that the attempt was planned for until the
 * outcome is known, and never guesses it (`docs/adr/0004-requests-attempts-and-outcomes.md#payment-protocol`).
 */
export async function resolveAttempt<State, Event extends StreamEvent, Rejection>(
  parts: Parts,
  sender: AttemptSender<State, Event, Rejection>,
  found: AttemptContext<State>,
): Promise<WorkItemResult> {
  const { operation } = found;
  const { attempt, progress } = operation;
  if (!attempt || !hasUnknownOutcome(operation)) return 'Done';
  const isInFlight = progress.status === 'InFlight';
  if (isInFlight && parts.clock.realNow() < Date.parse(attempt.answerBefore)) return 'Again';
  const processor = findProcessor(parts, operation);
  if (!processor) return 'Operator';
  const interrupted = isInFlight ? await interrupt(parts, sender, found) : found;
  if (!interrupted) return 'Again';
  await destroyUnusedCard(parts, sender, interrupted);
  const { number, answerBefore } = attempt;
  const inquiry = attemptInquiry(parts, sender, interrupted);
  const inquired = { ...interrupted, sender, processor, inquiry, number, answerBefore };
  const { result, source } = await inquire(inquired);
  switch (result.kind) {
    case 'Found':
      return recordResponse(parts, inquired, result.answer, source);
    case 'NotFound':
      return handleNotFound(parts, inquired);
    case 'StillRunning':
    case 'NoAnswer':
      return 'Again';
  }
}

/**
 * Inquires about a response that a bank, or a processor after a challenge, promised for later and that no processor notice
 * brought. It never annuls the attempt, because the processor has accepted it.
 */
export async function resolveDelayedResponse<State, Event extends StreamEvent, Rejection>(
  parts: Parts,
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

/**
 * The deadline passed, so the sender must have died. `Interrupted` is recorded before the inquiry. Undefined: the attempt has
 * an outcome or a new send window.
 */
async function interrupt<State, Event extends StreamEvent, Rejection>(
  { clock }: Parts,
  { aggregate }: AttemptSender<State, Event, Rejection>,
  found: AttemptContext<State>,
): Promise<AttemptContext<State> | undefined> {
  const { operation, loaded, cause } = found;
  const attempt = { at: iso(clock.now()), operationId: operation.id, try: operation.attempt?.number ?? 0 };
  const command = { ...attempt, cause: 'Abandoned', lostLink: false } as const;
  const written = await aggregate.repository.transact(loaded, cause, (state) => {
    // The sender has renewed its send window since: it is still at work.
    const isRenewed =
      aggregate.find(state, operation.id)?.attempt?.answerBefore !== operation.attempt?.answerBefore;
    return isRenewed ? accepted([], operation.id) : aggregate.steps.interrupt(state, command);
  });
  if (written.kind !== 'Written') return undefined;
  const now = aggregate.find(written.loaded.state, operation.id);
  return now?.progress.status === 'Interrupted'
    ? { ...found, operation: now, loaded: written.loaded }
    : undefined;
}

/**
 * The process of an attempt whose cardholder was not authenticated may have ended between the card's way into the vault and
 * the event that opens the challenge. The challenge can't open any more, so nothing uses the card.
 * @throws VaultError
 */
async function destroyUnusedCard<State, Event extends StreamEvent, Rejection>(
  { vault }: Parts,
  { aggregate }: AttemptSender<State, Event, Rejection>,
  { operation, loaded }: AttemptContext<State>,
): Promise<void> {
  const { id, attempt } = operation;
  if (!attempt || !aggregate.needsAuthentication(loaded.state, id)) return;
  await vault.destroy(aggregate.attemptSubject(loaded.state, id, attempt.number));
}

/** If the link to a terminal was lost, asks the terminal for its last transaction first, and then the processor. */
async function inquire<State, Event extends StreamEvent, Rejection>({
  sender,
  processor,
  loaded,
  operation,
  inquiry,
}: AttemptInquiry<State, Event, Rejection>): Promise<{
  readonly result: InquiryResult;
  readonly source: OutcomeSource;
}> {
  const { terminalId } = sender.aggregate.inquiryContext(loaded.state);
  const { progress } = operation as { readonly progress: { readonly lostLink?: boolean } };
  if (progress.lostLink === true && terminalId !== undefined) {
    const result = await processor.lastTransaction(terminalId, inquiry);
    if (result.kind !== 'NotFound') return { result, source: 'LastTransaction' };
  }
  return { result: await processor.inquire(inquiry), source: 'Inquiry' };
}

/** Annuls an attempt that takes a customer's money. Sends every other attempt again. */
async function handleNotFound<State, Event extends StreamEvent, Rejection>(
  parts: Parts,
  inquired: AttemptInquiry<State, Event, Rejection>,
): Promise<WorkItemResult> {
  const { sender, processor, inquiry, operation } = inquired;
  // The processor accepted the attempt before, so "not found" is wrong. After the last inquiry an operator decides.
  if (operation.attempt?.accepted) return 'Again';
  if (!sender.aggregate.canResend(operation)) return annulOrClose(parts, inquired);
  return processor.capabilities(inquiry.channel).idempotentKeys ? resend(parts, inquired) : 'Operator';
}

/** Closes the attempt only after the processor promised never to execute it, or after its whole in-flight window. */
async function annulOrClose<State, Event extends StreamEvent, Rejection>(
  parts: Parts,
  inquired: AttemptInquiry<State, Event, Rejection>,
): Promise<WorkItemResult> {
  const { processor, inquiry, answerBefore } = inquired;
  const { annul, inFlightWindowMs } = processor.capabilities(inquiry.channel);
  if (!annul) {
    const windowEnd = Date.parse(answerBefore) + inFlightWindowMs;
    return parts.clock.realNow() > windowEnd ? close(parts, inquired, 'Inquiry') : 'Again';
  }
  const result = await processor.annul(inquiry);
  switch (result.kind) {
    case 'Annulled':
      return close(parts, inquired, 'Annul');
    case 'AlreadyExecuted':
      return recordResponse(parts, inquired, result.answer, 'Annul');
    case 'NoAnswer':
      return 'Again';
  }
}

async function close<State, Event extends StreamEvent, Rejection>(
  { clock }: Parts,
  { sender: { aggregate }, loaded, operation, number, cause }: AttemptInquiry<State, Event, Rejection>,
  source: OutcomeSource,
): Promise<WorkItemResult> {
  const command = { at: iso(clock.now()), operationId: operation.id, try: number, source };
  const written = await aggregate.repository.transact(loaded, cause, (state) =>
    aggregate.steps.closeNotExecuted(state, command),
  );
  if (written.kind === 'Written') await aggregate.writeReadModels(written.loaded, operation.id);
  return written.kind === 'Contended' ? 'Again' : 'Done';
}

/**
 * Sends the attempt again under the same key, so that the processor executes it once. The request event comes first: after
 * it the first sender can't record `NotSent` any more.
 */
async function resend<State, Event extends StreamEvent, Rejection>(
  parts: Parts,
  { sender, merchant, loaded, operation, number, cause }: AttemptInquiry<State, Event, Rejection>,
): Promise<WorkItemResult> {
  const { aggregate } = sender;
  const start = startAttempt(parts);
  const at = iso(parts.clock.now());
  const command = { at, operationId: operation.id, try: number, ...start.window };
  const written = await aggregate.repository.transact(loaded, cause, (state) =>
    aggregate.steps.resend(state, command),
  );
  if (written.kind === 'Contended') return 'Again';
  if (written.kind === 'Rejected') return 'Done';
  return sendAttempt(sender, { merchant, loaded: written.loaded, cause }, operation.id, start);
}
