import {
  interruptVerification,
  verificationNotExecuted,
  type OperationId,
  type OutcomeSource,
} from '@tillstream/domain';
import type { DefiniteAnswer, Inquiry } from '@tillstream/processors';
import { tellOfToken } from '../telling.js';
import { iso } from '../clock.port.js';
import { inquiryOf, type ResolveParts, type Worked } from './case.js';
import { loadToken, type TokenCase } from './token.case.js';
import { askWhatBecame, stopForGood } from './unknown.try.js';

/**
 * A check of a card without an outcome, asked for until it is known. An approval brings the card again: it is kept, and
 * the token is there. What was never received is annulled, as a sale is: nobody is at the terminal any more.
 */
export async function resolveVerification(parts: ResolveParts, found: TokenCase): Promise<Worked> {
  const { operation, token } = found;
  const lastTry = operation.try;
  const { status } = operation.progress;
  if (!lastTry || (status !== 'InFlight' && status !== 'Interrupted')) return 'Done';
  if (parts.clock.realNow() < Date.parse(lastTry.answerBefore) && status === 'InFlight') return 'Again';
  const interrupted = status === 'InFlight' ? await abandon(parts, found) : found;

  const inquiry = inquiryOf(parts, token, operation.id, lastTry.number);
  const { progress } = interrupted.operation;
  const { answer, source } = await askWhatBecame(parts.processor, progress, token.terminalId, inquiry);
  switch (answer.kind) {
    case 'Found':
      return record(parts, interrupted, answer.answer, source);
    case 'NotFound':
      return neverReceived(parts, interrupted, inquiry);
    case 'StillRunning':
    case 'NoAnswer':
      return 'Again';
  }
}

/** An adapter heard an answer after everybody had gone. One that comes when it is over changes nothing. */
export async function hearLateVerification(
  parts: ResolveParts,
  operationId: OperationId,
  number: number,
  answer: DefiniteAnswer,
): Promise<void> {
  const found = await loadToken(parts, operationId);
  const { progress, try: lastTry } = found?.operation ?? {};
  const isOpen = progress?.status === 'InFlight' || progress?.status === 'Interrupted';
  if (found && isOpen && lastTry?.number === number) await record(parts, found, answer, 'LateAnswer');
}

/** Found without an outcome after its sender had to be done: it says so before anybody is asked. */
async function abandon(parts: ResolveParts, found: TokenCase): Promise<TokenCase> {
  const { operation, loaded, cause } = found;
  const ofTry = { at: iso(parts.clock.now()), operationId: operation.id, try: operation.try?.number ?? 0 };
  const written = await parts.tokens.write(
    loaded.stream,
    cause,
    (state) => interruptVerification(state, { ...ofTry, cause: 'Abandoned', lostLink: false }),
    { known: loaded },
  );
  return written.kind === 'Written' ? { ...found, loaded: written.loaded } : found;
}

function neverReceived(parts: ResolveParts, found: TokenCase, inquiry: Inquiry): Promise<Worked> {
  return stopForGood(
    parts,
    { channel: found.token.channel, answerBefore: found.operation.try?.answerBefore },
    inquiry,
    (source) => close(parts, found, source),
    (answer) => record(parts, found, answer, 'Annul'),
  );
}

async function close(
  parts: ResolveParts,
  { loaded, operation, cause }: TokenCase,
  source: OutcomeSource,
): Promise<Worked> {
  const at = iso(parts.clock.now());
  const command = { at, operationId: operation.id, try: operation.try?.number ?? 0, source };
  const written = await parts.tokens.write(
    loaded.stream,
    cause,
    (state) => verificationNotExecuted(state, command),
    { known: loaded },
  );
  if (written.kind === 'Written') await tellOfToken(parts.readModels, written.loaded);
  return written.kind === 'Contended' ? 'Again' : 'Done';
}

async function record(
  parts: ResolveParts,
  { merchant, loaded, operation, cause }: TokenCase,
  answer: DefiniteAnswer,
  source: OutcomeSource,
): Promise<Worked> {
  const number = operation.try?.number ?? 0;
  const { verifying } = parts;
  const written = await verifying.record(merchant, loaded, operation.id, number, answer, source, cause);
  if (written.kind !== 'Written') return 'Again';
  await tellOfToken(parts.readModels, written.loaded);
  return 'Done';
}
