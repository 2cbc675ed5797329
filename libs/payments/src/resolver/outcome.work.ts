import {
  closeNotExecuted,
  findOperation,
  interrupt,
  resend,
  type OutcomeSource,
  type PaymentDecision,
  type PaymentState,
} from '@tillstream/domain';
import type { DefiniteAnswer, Inquiry, InquiryAnswer } from '@tillstream/processors';
import { iso } from '../clock.port.js';
import { tellOfPayment } from '../telling.js';
import { type Case, type ResolveParts, type Worked, inquiryOf, sent } from './case.js';

/** A try without an outcome: asks until it is known, and never guesses (payment protocol 4). */
export async function resolveOutcome(parts: ResolveParts, found: Case): Promise<Worked> {
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
  return written.kind === 'Written' ? { ...found, loaded: written.loaded } : found;
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
  if (written.kind === 'Written') await tellOfPayment(parts.readModels, written.loaded);
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
  return sent(parts, merchant, written.loaded, operation.id, cause, departure);
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
  await tellOfPayment(parts.readModels, written.loaded);
  const next = findOperation(written.loaded.state, operation.id);
  const fallsBack = next?.progress.status === 'InFlight' && next.try?.number !== number;
  return fallsBack ? sent(parts, merchant, written.loaded, operation.id, cause, departure) : 'Done';
}
