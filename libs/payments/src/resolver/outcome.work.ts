import {
  closeNotExecuted,
  findOperation,
  interrupt,
  resend,
  type OutcomeSource,
  type PaymentDecision,
  type PaymentState,
} from '@tillstream/domain';
import type { DefiniteAnswer, Inquiry } from '@tillstream/processors';
import { iso } from '../clock.port.js';
import { tellOfPayment } from '../telling.js';
import { type Case, type ResolveParts, type Worked, inquiryOf, sent } from './case.js';
import { askWhatBecame, stopForGood } from './unknown.try.js';

/** A try without an outcome: asks until it is known, and never guesses (payment protocol 4). */
export async function resolveOutcome(parts: ResolveParts, found: Case): Promise<Worked> {
  const { operation } = found;
  const lastTry = operation.try;
  const { status } = operation.progress;
  if (!lastTry || (status !== 'InFlight' && status !== 'Interrupted')) return 'Done';
  if (parts.clock.realNow() < Date.parse(lastTry.answerBefore) && status === 'InFlight') return 'Again';
  const interrupted = status === 'InFlight' ? await abandon(parts, found) : found;

  const inquiry = inquiryOf(parts, found.payment, operation.id, lastTry.number);
  const { progress } = interrupted.operation;
  const { terminalId } = found.payment;
  const { answer, source } = await askWhatBecame(parts.processor, progress, terminalId, inquiry);
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

/** Money that would leave a customer is stopped for good; what finishes something begun is sent again. */
async function neverReceived(parts: ResolveParts, found: Case, inquiry: Inquiry): Promise<Worked> {
  const { operation, payment } = found;
  const opens =
    operation.kind === 'Sale' || operation.kind === 'Auth' || operation.kind === 'UnreferencedRefund';
  if (!opens) {
    const { idempotentKeys } = parts.processor.capabilities(payment.channel);
    return idempotentKeys ? sendAgain(parts, found) : 'Operator';
  }
  return stopForGood(
    parts,
    { channel: payment.channel, answerBefore: operation.try?.answerBefore },
    inquiry,
    (source) => close(parts, found, source),
    (answer) => record(parts, found, operation.try?.number ?? 0, answer, 'Annul'),
  );
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
