import {
  closeNotExecuted,
  didNotHappen,
  expireAuthorization,
  findOperation,
  interrupt,
  isPending,
  movedAmount,
  resend,
  reverseLateApproval,
  streamOfOperation,
  type Merchant,
  type Operation,
  type OperationId,
  type OutcomeSource,
  type Payment,
  type PaymentDecision,
  type PaymentState,
  type TryAnswer,
} from '@tillstream/domain';
import type { DefiniteAnswer, Inquiry, InquiryAnswer, Processor } from '@tillstream/processors';
import { iso, type Clock } from '../clock.port.js';
import { theService, type Cause } from '../event-metadata.js';
import { newCommandId } from '../identities.js';
import type { PaymentsLog } from '../log.port.js';
import type { Work } from '../open-work.port.js';
import type { LoadedPayment, PaymentJournal } from '../payment.journal.js';
import type { RefundLimits } from '../refund-limits.js';
import { processorKey, type Departure, type Sending } from '../sending.js';
import type { Timings } from '../timings.js';

/** What a piece of work came to. `Again`: it is not known yet, and the schedule says when to look next. */
export type Worked = 'Done' | 'Again' | 'Operator';

export interface ResolveParts {
  readonly journal: PaymentJournal;
  readonly processor: Processor;
  readonly sending: Sending;
  readonly refundLimits: RefundLimits;
  readonly clock: Clock;
  readonly timings: Timings;
  readonly log: PaymentsLog;
  merchant(merchantId: string): Promise<Merchant | undefined>;
}

/** A payment in hand, as the handlers below need it. */
interface Case {
  readonly merchant: Merchant;
  readonly loaded: LoadedPayment;
  readonly payment: Payment;
  readonly operation: Operation;
  readonly cause: Cause;
}

/** Does one piece of work. It never guesses: what is not known stays unknown (payment protocol 4 and 5). */
export async function resolve(parts: ResolveParts, work: Work): Promise<Worked> {
  const found = await load(parts, work.operationId);
  if (!found) return 'Done';
  switch (work.kind) {
    case 'Outcome':
      return resolveOutcome(parts, found);
    case 'LateCheck':
      return lookAgain(parts, found);
    case 'Reversal':
      return reverse(parts, found);
    case 'Expiry':
      return expire(parts, found);
    case 'RefundLimit':
      return giveBackLimit(parts, found);
  }
}

async function load(parts: ResolveParts, operationId: OperationId): Promise<Case | undefined> {
  const stream = streamOfOperation(operationId);
  const loaded = stream && (await parts.journal.load(stream));
  if (!loaded || loaded.state.status === 'None') return undefined;
  const operation = findOperation(loaded.state, operationId);
  const merchant = await parts.merchant(loaded.state.merchantId);
  if (!operation || !merchant) return undefined;
  const cause = { merchantId: merchant.id, actor: theService, causationId: operationId };
  return { merchant, loaded, payment: loaded.state, operation, cause };
}

// ── A try without an outcome ─────────────────────────────────────────────────────────────────────────────────────────

async function resolveOutcome(parts: ResolveParts, found: Case): Promise<Worked> {
  const { operation } = found;
  const lastTry = operation.try;
  const { status } = operation.progress;
  if (!lastTry || (status !== 'InFlight' && status !== 'Interrupted')) return 'Done';
  if (parts.clock.realNow() < Date.parse(lastTry.answerBefore) && status === 'InFlight') return 'Again';
  const interrupted = status === 'InFlight' ? await abandon(parts, found) : found;

  const inquiry = inquiryOf(parts, found.payment, operation.id, lastTry.number);
  const { answer, source } = await ask(parts, interrupted, inquiry);
  switch (answer.kind) {
    case 'Found':
      return record(parts, interrupted, lastTry.number, answer.answer, source);
    case 'NotFound':
      return neverReceived(parts, interrupted, inquiry);
    case 'StillRunning':
    case 'NoAnswer':
      return 'Again';
  }
}

/** Found without an outcome after its sender had to be done: it says so before anybody is asked. */
async function abandon(parts: ResolveParts, found: Case): Promise<Case> {
  const { operation, loaded, cause } = found;
  const ofTry = { at: iso(parts.clock.now()), operationId: operation.id, try: operation.try?.number ?? 0 };
  const decide = (state: PaymentState): PaymentDecision =>
    interrupt(state, { ...ofTry, cause: 'Abandoned', lostLink: false });
  const written = await parts.journal.write(loaded.stream, cause, decide, { known: loaded });
  return written.kind === 'Written' ? { ...found, loaded: written.payment } : found;
}

/** A terminal whose answer was lost is asked for its last transaction; what it does not know, the processor may. */
async function ask(
  { processor }: ResolveParts,
  { operation, payment }: Case,
  inquiry: Inquiry,
): Promise<{ readonly answer: InquiryAnswer; readonly source: OutcomeSource }> {
  const { progress } = operation;
  if (progress.status === 'Interrupted' && progress.lostLink && payment.terminalId !== undefined) {
    const answer = await processor.lastTransaction(payment.terminalId, inquiry);
    if (answer.kind !== 'NotFound') return { answer, source: 'LastTransaction' };
  }
  return { answer: await processor.inquire(inquiry), source: 'Inquiry' };
}

/** Money that would leave a customer is stopped for good; what finishes something begun is sent again. */
async function neverReceived(parts: ResolveParts, found: Case, inquiry: Inquiry): Promise<Worked> {
  const { operation, payment } = found;
  const { annul, idempotentKeys, inFlightWindowMs } = parts.processor.capabilities(payment.channel);
  const opens =
    operation.kind === 'Sale' || operation.kind === 'Auth' || operation.kind === 'UnreferencedRefund';
  if (!opens) return idempotentKeys ? sendAgain(parts, found) : 'Operator';
  if (!annul) {
    const windowOver = Date.parse(operation.try?.answerBefore ?? '') + inFlightWindowMs;
    return parts.clock.realNow() > windowOver ? close(parts, found, 'Inquiry') : 'Again';
  }
  const answer = await parts.processor.annul(inquiry);
  switch (answer.kind) {
    case 'Annulled':
      return close(parts, found, 'Annul');
    case 'AlreadyExecuted':
      return record(parts, found, operation.try?.number ?? 0, answer.answer, 'Annul');
    case 'NoAnswer':
      return 'Again';
  }
}

async function close(
  parts: ResolveParts,
  { loaded, operation, cause }: Case,
  source: OutcomeSource,
): Promise<Worked> {
  const command = {
    at: iso(parts.clock.now()),
    operationId: operation.id,
    try: operation.try?.number ?? 0,
    source,
  };
  const written = await parts.journal.write(
    loaded.stream,
    cause,
    (state) => closeNotExecuted(state, command),
    { known: loaded },
  );
  return written.kind === 'Contended' ? 'Again' : 'Done';
}

/** Under the same key, so that it is done once; written down first, so that the first sender can't take it back. */
async function sendAgain(parts: ResolveParts, { merchant, loaded, operation, cause }: Case): Promise<Worked> {
  const departure = parts.sending.depart();
  const { sendBefore, answerBefore } = departure.plan;
  const command = {
    at: iso(parts.clock.now()),
    operationId: operation.id,
    try: operation.try?.number ?? 0,
    sendBefore,
    answerBefore,
  };
  const written = await parts.journal.write(loaded.stream, cause, (state) => resend(state, command), {
    known: loaded,
  });
  if (written.kind === 'Contended') return 'Again';
  if (written.kind === 'Refused') return 'Done';
  return sent(parts, merchant, written.payment, operation.id, cause, departure);
}

async function record(
  parts: ResolveParts,
  found: Case,
  number: number,
  answer: DefiniteAnswer,
  source: OutcomeSource,
): Promise<Worked> {
  const { merchant, loaded, operation, cause } = found;
  const departure = parts.sending.depart();
  const written = await parts.sending.record(merchant, loaded, operation.id, number, answer, source, cause);
  if (written.kind !== 'Written') return 'Again';
  const next = findOperation(written.payment.state, operation.id);
  const fallsBack = next?.progress.status === 'InFlight' && next.try?.number !== number;
  return fallsBack ? sent(parts, merchant, written.payment, operation.id, cause, departure) : 'Done';
}

// ── After a close as "did not happen" ────────────────────────────────────────────────────────────────────────────────

async function lookAgain(parts: ResolveParts, found: Case): Promise<Worked> {
  const { operation, payment, merchant, loaded, cause } = found;
  if (!didNotHappen(operation)) return 'Done';
  const number = operation.try?.number ?? 0;
  const answer = await parts.processor.inquire(inquiryOf(parts, payment, operation.id, number));
  if (answer.kind === 'Found' && answer.answer.kind === 'Approved') {
    await parts.sending.record(merchant, loaded, operation.id, number, answer.answer, 'LateAnswer', cause);
    parts.log.error('late-approval-found', { operationId: operation.id });
    return 'Done';
  }
  // A reversal that never left is followed by another.
  const original =
    operation.kind === 'Reversal' ? findOperation(payment, operation.originalId ?? operation.id) : undefined;
  if (!original) return 'Again';
  const again = { ...found, operation: original };
  return operation.reversalCause === 'LateApproval' ? reverse(parts, again) : expire(parts, again);
}

/** An adapter heard an answer after everybody had gone. */
export async function hearLateAnswer(
  parts: ResolveParts,
  operationId: OperationId,
  number: number,
  answer: TryAnswer,
): Promise<void> {
  const found = await load(parts, operationId);
  if (!found) return;
  await parts.sending.record(
    found.merchant,
    found.loaded,
    operationId,
    number,
    answer,
    'LateAnswer',
    found.cause,
  );
}

async function reverse(parts: ResolveParts, found: Case): Promise<Worked> {
  const { operation } = found;
  return undo(parts, found, (state, step) =>
    reverseLateApproval(state, { ...step, operationId: operation.id }),
  );
}

// ── An authorization's end of life, and limits to give back ──────────────────────────────────────────────────────────

async function expire(parts: ResolveParts, found: Case): Promise<Worked> {
  const { operation } = found;
  return undo(parts, found, (state, step) =>
    expireAuthorization(state, { ...step, operationId: operation.id }),
  );
}

/** Writes the reversal down, then sends it. Should this process die in between, it is an operation without an outcome. */
async function undo(
  parts: ResolveParts,
  { merchant, loaded, cause }: Case,
  decide: (
    state: PaymentState,
    step: { readonly at: string; readonly commandId: string; readonly tryPlan: Departure['plan'] },
  ) => PaymentDecision,
): Promise<Worked> {
  const departure = parts.sending.depart();
  const step = { at: iso(parts.clock.now()), commandId: newCommandId(), tryPlan: departure.plan };
  const written = await parts.journal.write(loaded.stream, cause, (state) => decide(state, step), {
    known: loaded,
  });
  if (written.kind !== 'Written') return 'Again';
  if (written.events.length === 0) return 'Done';
  const outcome = await sent(parts, merchant, written.payment, written.operationId, cause, departure);
  // An unknown outcome of the reversal is work of its own.
  return outcome === 'Again' ? 'Done' : outcome;
}

async function giveBackLimit(
  parts: ResolveParts,
  { merchant, payment, operation, cause }: Case,
): Promise<Worked> {
  if (isPending(operation)) return 'Again';
  if (movedAmount(operation) > 0) return 'Done';
  const { id: operationId, amount, createdAt: at } = operation;
  await parts.refundLimits.release(merchant, { operationId, amount, currency: payment.currency, at }, cause);
  return 'Done';
}

async function sent(
  parts: ResolveParts,
  merchant: Merchant,
  payment: LoadedPayment,
  operationId: OperationId,
  cause: Cause,
  departure: Departure,
): Promise<Worked> {
  const result = await parts.sending.send(merchant, payment, operationId, cause, departure.startedAt);
  if (result.kind === 'Interrupted') return 'Again';
  const operation = findOperation(result.payment.state, operationId);
  if (operation?.kind === 'Reversal' && movedAmount(operation) === 0) {
    parts.log.error('reversal-failed', { operationId, reason: operation.progress.status });
  }
  return 'Done';
}

function inquiryOf(
  { timings }: ResolveParts,
  { merchantId, channel }: Payment,
  operationId: OperationId,
  number: number,
): Inquiry {
  return {
    merchantId,
    channel,
    key: processorKey(operationId, number),
    deadlineMs: timings.processorDeadline,
  };
}
