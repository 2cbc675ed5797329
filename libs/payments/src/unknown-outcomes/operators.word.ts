import {
  operatorResponse,
  needsConfirmation,
  type Cents,
  type Operation,
  type Proposal,
} from '@tillstream/domain';
import type { AttemptSender } from '../attempts/index.js';
import { iso } from '../clock.port.js';
import type { Cause } from '../event-metadata.js';
import { newCommandId } from '../identities.js';
import type { Work } from '../open-work.port.js';
import type { AttemptCase, StreamEvent } from '../resolver/attempt.case.js';
import type { ResolveParts } from '../resolver/case.js';
import { operatorOf, type Stepped } from './resolutions.js';
import {
  findSubject,
  isUnknownSubject,
  knownOf,
  wasDoneUnder,
  whatIsKnown,
  type Subject,
} from './subject.js';
import { outcomeOf } from './unknown-outcomes.list.js';
import { lookAtHistory, rowOf, tooEarly, type UnknownOutcomesParts } from './unknown-outcomes.parts.js';
import type { OperatorContext, OperatorsWord, ResolveResult } from './unknown-outcomes.types.js';

/**
 * Ends a try as an operator says (`docs/spec/unknown-outcomes.md#manual-resolution`). What was closed as not received
 * is still looked at again later: an approval that turns up is reversed, as the resolver's own (payment protocol 5).
 */
export async function resolveAsSaid(
  parts: UnknownOutcomesParts,
  operator: OperatorContext,
  transactionId: string,
  word: OperatorsWord,
  commandId: string = newCommandId(),
): Promise<ResolveResult> {
  const subject = await findSubject(parts.resolving, transactionId);
  if (!subject) return { kind: 'NotFound' };
  if (!isUnknownSubject(subject)) {
    return wasDoneUnder(subject, commandId) ? done(parts, subject, undefined) : knownAlready(subject);
  }
  if (subject.category === 'token' && word.outcome === 'Approved') return { kind: 'NoTokenWithoutCard' };
  await lookAtHistory(parts);
  const row = await rowOf(parts, subject);
  const early = tooEarly(parts, subject, row);
  if (early) return early;

  const { actor, traceId } = operator;
  const cause = {
    merchantId: subject.merchant.id,
    actor,
    traceId,
    causationId: commandId,
    reason: word.reason,
  };
  const stepped = await secondOperator(parts, subject, word, commandId, cause);
  if (stepped?.kind === 'Contended') return stepped;
  if (stepped?.kind === 'Refused') return { kind: 'SameOperator', message: stepped.refusal.message };
  if (stepped?.step.kind === 'AwaitsConfirmation') return awaits(parts, subject, row, stepped.step.proposal);
  const authCode = stepped ? stepped.step.proposal.authCode : word.authCode;
  const { outcome, reason } = word;
  const said = { outcome, reason, ...(authCode !== undefined && { authCode }) };
  return carryOut(parts, subject, row, said, cause);
}

/** Undefined: one operator is enough. */
async function secondOperator(
  { resolutions, rule, resolving: { clock } }: UnknownOutcomesParts,
  subject: Subject,
  { outcome, reason, authCode }: OperatorsWord,
  commandId: string,
  cause: Cause,
): Promise<Stepped | undefined> {
  if (subject.category === 'token' || !needsConfirmation(rule, subject.operation.amount)) return undefined;
  const { operation, payment, merchant } = subject;
  return resolutions.proposeOrConfirm(cause, {
    at: iso(clock.now()),
    commandId,
    operationId: operation.id,
    merchantId: merchant.id,
    try: operation.attempt?.number ?? 0,
    outcome,
    reason,
    ...(authCode !== undefined && { authCode }),
    amount: operation.amount,
    currency: payment.currency,
    by: operatorOf(cause.actor),
  });
}

async function carryOut(
  parts: UnknownOutcomesParts,
  subject: Subject,
  row: Work | undefined,
  word: OperatorsWord,
  cause: Cause,
): Promise<ResolveResult> {
  const { resolving } = parts;
  const written =
    subject.category === 'payment'
      ? await end(resolving, resolving.paymentSender, subject, amountOf(subject.operation), word, cause)
      : await end(resolving, resolving.verificationSender, subject, 0, word, cause);
  if (written === 'Contended') return { kind: 'Contended' };
  const after = await findSubject(resolving, subject.operation.id);
  if (!after) return { kind: 'NotFound' };
  // The resolver or a late answer was faster: that is what counts.
  if (written === 'NothingLeft') return knownAlready(after);
  const { keyId } = cause.actor;
  const operationId = subject.operation.id;
  resolving.log.info('outcome-resolved', {
    operationId,
    reason: word.outcome,
    ...(keyId !== undefined && { keyId }),
  });
  return done(parts, after, row);
}

type Ended = 'Written' | 'NothingLeft' | 'Contended';

/** Of payments and of stored cards alike; `amount`: what an approval approves, cents. */
async function end<State, Event extends StreamEvent, Refusal>(
  { clock }: Pick<ResolveParts, 'clock'>,
  sender: AttemptSender<State, Event, Refusal>,
  { merchant, loaded, operation }: AttemptCase<State>,
  amount: Cents,
  { outcome, reason, authCode }: OperatorsWord,
  cause: Cause,
): Promise<Ended> {
  const { attempted } = sender;
  const operationId = operation.id;
  const number = operation.attempt?.number ?? 0;
  const source = 'Operator' as const;
  const close = (state: State) =>
    attempted.steps.closeNotExecuted(state, {
      at: iso(clock.now()),
      operationId,
      try: number,
      source,
      reason,
    });
  const written =
    outcome === 'NotReceived'
      ? await attempted.journal.write(loaded.stream, cause, close, { known: loaded })
      : await sender.record(loaded, {
          merchant,
          operationId,
          number,
          answer: operatorResponse(outcome, amount, authCode),
          source,
          cause,
        });
  if (written.kind !== 'Written') return 'Contended';
  await attempted.recorded(written.loaded, operationId);
  return written.events.length > 0 ? 'Written' : 'NothingLeft';
}

function amountOf({ amount, attempt: attempt }: Operation): Cents {
  return attempt?.amount ?? amount;
}

function done(parts: UnknownOutcomesParts, subject: Subject, row: Work | undefined): ResolveResult {
  return { kind: 'Known', outcome: outcomeOf(parts, subject, row, true), known: knownOf(subject) };
}

function awaits(
  parts: UnknownOutcomesParts,
  subject: Subject,
  row: Work | undefined,
  proposal: Proposal,
): ResolveResult {
  const outcome = { ...outcomeOf(parts, subject, row), proposal };
  return { kind: 'AwaitsConfirmation', outcome, known: knownOf(subject) };
}

function knownAlready(subject: Subject): ResolveResult {
  return { kind: 'KnownAlready', what: whatIsKnown(subject) };
}
