import {
  operatorResponse,
  needsConfirmation,
  type Cents,
  type Operation,
  type Proposal,
} from '@tillstream/domain';
import type { AttemptSender } from '../attempts/index.js';
import { iso } from '../ports/clock.port.js';
import type { Cause } from '../stream-repository/event-metadata.js';
import { newCommandId } from '../identifiers.js';
import type { WorkItem } from '../work-queue/work-queue.port.js';
import type { AttemptContext, StreamEvent } from '../resolver/attempt.context.js';
import type { ResolverParts } from '../resolver/payment.context.js';
import { operatorIdentity, type ProposalResult } from './resolution-proposals.js';
import {
  findTargetOperation,
  isUnknownOperation,
  knownOperation,
  hasCommand,
  describeProgress,
  type TargetOperation,
} from './target-operation.js';
import { unknownOutcomeView } from './unknown-outcomes.list.js';
import {
  catchUpWorkQueue,
  findWorkItem,
  tooEarly,
  type UnknownOutcomesParts,
} from './unknown-outcomes.parts.js';
import type { OperatorContext, ManualResolution, ResolveResult } from './unknown-outcomes.types.js';

/**
 * Ends a try as an operator says (`docs/spec/unknown-outcomes.md#manual-resolution`). What was closed as not received
 * is still looked at again later: an approval that turns up is reversed, as the resolver's own (payment protocol 5).
 */
export async function resolveManually(
  parts: UnknownOutcomesParts,
  operator: OperatorContext,
  transactionId: string,
  word: ManualResolution,
  commandId: string = newCommandId(),
): Promise<ResolveResult> {
  const subject = await findTargetOperation(parts.resolving, transactionId);
  if (!subject) return { kind: 'NotFound' };
  if (!isUnknownOperation(subject)) {
    return hasCommand(subject, commandId) ? knownResult(parts, subject, undefined) : alreadyKnown(subject);
  }
  if (subject.category === 'token' && word.outcome === 'Approved') return { kind: 'NoTokenWithoutCard' };
  await catchUpWorkQueue(parts);
  const row = await findWorkItem(parts, subject);
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
  const stepped = await proposeOrConfirm(parts, subject, word, commandId, cause);
  if (stepped?.kind === 'Contended') return stepped;
  if (stepped?.kind === 'Rejected') return { kind: 'SameOperator', message: stepped.rejection.message };
  if (stepped?.step.kind === 'AwaitsConfirmation')
    return awaitsConfirmation(parts, subject, row, stepped.step.proposal);
  const authCode = stepped ? stepped.step.proposal.authCode : word.authCode;
  const { outcome, reason } = word;
  const said = { outcome, reason, ...(authCode !== undefined && { authCode }) };
  return applyResolution(parts, subject, row, said, cause);
}

/** Undefined: one operator is enough. */
async function proposeOrConfirm(
  { resolutions, rule, resolving: { clock } }: UnknownOutcomesParts,
  subject: TargetOperation,
  { outcome, reason, authCode }: ManualResolution,
  commandId: string,
  cause: Cause,
): Promise<ProposalResult | undefined> {
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
    by: operatorIdentity(cause.actor),
  });
}

async function applyResolution(
  parts: UnknownOutcomesParts,
  subject: TargetOperation,
  row: WorkItem | undefined,
  word: ManualResolution,
  cause: Cause,
): Promise<ResolveResult> {
  const { resolving } = parts;
  const written =
    subject.category === 'payment'
      ? await writeResolution(
          resolving,
          resolving.paymentSender,
          subject,
          attemptedAmount(subject.operation),
          word,
          cause,
        )
      : await writeResolution(resolving, resolving.verificationSender, subject, 0, word, cause);
  if (written === 'Contended') return { kind: 'Contended' };
  const after = await findTargetOperation(resolving, subject.operation.id);
  if (!after) return { kind: 'NotFound' };
  // The resolver or a late answer was faster: that is what counts.
  if (written === 'NothingLeft') return alreadyKnown(after);
  const { keyId } = cause.actor;
  const operationId = subject.operation.id;
  resolving.log.info('outcome-resolved', {
    operationId,
    reason: word.outcome,
    ...(keyId !== undefined && { keyId }),
  });
  return knownResult(parts, after, row);
}

type ResolutionWriteResult = 'Written' | 'NothingLeft' | 'Contended';

/** Of payments and of stored cards alike; `amount`: what an approval approves, cents. */
async function writeResolution<State, Event extends StreamEvent, Refusal>(
  { clock }: Pick<ResolverParts, 'clock'>,
  sender: AttemptSender<State, Event, Refusal>,
  { merchant, loaded, operation }: AttemptContext<State>,
  amount: Cents,
  { outcome, reason, authCode }: ManualResolution,
  cause: Cause,
): Promise<ResolutionWriteResult> {
  const { aggregate } = sender;
  const operationId = operation.id;
  const number = operation.attempt?.number ?? 0;
  const source = 'Operator' as const;
  const close = (state: State) =>
    aggregate.steps.closeNotExecuted(state, {
      at: iso(clock.now()),
      operationId,
      try: number,
      source,
      reason,
    });
  const written =
    outcome === 'NotReceived'
      ? await aggregate.repository.transact(loaded.stream, cause, close, { known: loaded })
      : await sender.record(loaded, {
          merchant,
          operationId,
          number,
          answer: operatorResponse(outcome, amount, authCode),
          source,
          cause,
        });
  if (written.kind !== 'Written') return 'Contended';
  await aggregate.writeReadModels(written.loaded, operationId);
  return written.events.length > 0 ? 'Written' : 'NothingLeft';
}

function attemptedAmount({ amount, attempt: attempt }: Operation): Cents {
  return attempt?.amount ?? amount;
}

function knownResult(
  parts: UnknownOutcomesParts,
  subject: TargetOperation,
  row: WorkItem | undefined,
): ResolveResult {
  return {
    kind: 'Known',
    outcome: unknownOutcomeView(parts, subject, row, true),
    known: knownOperation(subject),
  };
}

function awaitsConfirmation(
  parts: UnknownOutcomesParts,
  subject: TargetOperation,
  row: WorkItem | undefined,
  proposal: Proposal,
): ResolveResult {
  const outcome = { ...unknownOutcomeView(parts, subject, row), proposal };
  return { kind: 'AwaitsConfirmation', outcome, known: knownOperation(subject) };
}

function alreadyKnown(subject: TargetOperation): ResolveResult {
  return { kind: 'KnownAlready', what: describeProgress(subject) };
}
