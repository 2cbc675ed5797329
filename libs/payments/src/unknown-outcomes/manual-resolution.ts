import { operatorResponse, needsConfirmation, type Cents } from '@tillstream/domain';
import type { AttemptSender } from '../attempts/index.js';
import { iso } from '../ports/clock.port.js';
import type { Cause } from '../stream-repository/event-metadata.js';
import { newCommandId } from '../identifiers.js';
import type { Actor } from '../requests/request.types.js';
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
import type {
  ManualResolution,
  OperatorContext,
  ResolveRequest,
  ResolveResult,
} from './unknown-outcomes.types.js';

/**
 * Records an operator's decision about an unknown outcome (`docs/spec/unknown-outcomes.md#manual-resolution`). The domain
 * ignores the decision if the processor answered first: `attemptSteps` in `libs/domain/src/attempt/attempt.steps.ts`
 * (`recordResponse`, `closeNotExecuted`). The resolver still makes late inquiries after `NotReceived` and `Declined`; it
 * reverses a late execution (payment protocol 5).
 *
 * @param commandId a repeated command changes nothing and gets the same result
 */
export async function resolveManually(
  parts: UnknownOutcomesParts,
  operator: OperatorContext,
  { transactionId, resolution, commandId = newCommandId() }: ResolveRequest,
): Promise<ResolveResult> {
  const target = await findTargetOperation(parts.resolving, transactionId);
  if (!target) return { kind: 'NotFound' };
  if (!isUnknownOperation(target)) {
    return hasCommand(target, commandId) ? knownResult(parts, target, undefined) : alreadyKnown(target);
  }
  if (target.category === 'token' && resolution.outcome === 'Approved') return { kind: 'NoTokenWithoutCard' };
  await catchUpWorkQueue(parts);
  const row = await findWorkItem(parts, target);
  const early = tooEarly(parts, target, row);
  if (early) return early;

  const { actor, traceId } = operator;
  const { outcome, reason } = resolution;
  const cause = { merchantId: target.merchant.id, actor, traceId, causationId: commandId, reason };
  const proposed = await proposeOrConfirm(parts, target, resolution, cause);
  if (proposed?.kind === 'Contended') return proposed;
  if (proposed?.kind === 'Refused') return { kind: 'SameOperator', message: proposed.refusal.message };
  if (proposed?.step.kind === 'AwaitsConfirmation') {
    const { proposal } = proposed.step;
    const unknown = { ...unknownOutcomeView(parts, target, row), proposal };
    return { kind: 'AwaitsConfirmation', outcome: unknown, known: knownOperation(target) };
  }
  const authCode = proposed ? proposed.step.proposal.authCode : resolution.authCode;
  const decided = { outcome, reason, ...(authCode !== undefined && { authCode }) };
  const result = await recordResolution(parts.resolving, target, decided, cause);
  if (result === 'Contended') return { kind: 'Contended' };
  const resolved = await findTargetOperation(parts.resolving, target.operation.id);
  if (!resolved) return { kind: 'NotFound' };
  // The resolver or a late response recorded an outcome first, and that outcome counts.
  if (result === 'Ignored') return alreadyKnown(resolved);
  logResolution(parts, target, outcome, actor);
  return knownResult(parts, resolved, row);
}

/** Undefined if one operator may decide alone. */
async function proposeOrConfirm(
  { resolutions, rule, resolving: { clock } }: UnknownOutcomesParts,
  target: TargetOperation,
  { outcome, reason, authCode }: ManualResolution,
  cause: Cause & { readonly causationId: string },
): Promise<ProposalResult | undefined> {
  if (target.category === 'token' || !needsConfirmation(rule, target.operation.amount)) return undefined;
  const { operation, payment, merchant } = target;
  return resolutions.proposeOrConfirm(cause, {
    at: iso(clock.now()),
    commandId: cause.causationId,
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

function logResolution(
  { resolving: { log } }: UnknownOutcomesParts,
  { operation }: TargetOperation,
  outcome: ManualResolution['outcome'],
  { keyId }: Actor,
): void {
  log.info('outcome-resolved', {
    operationId: operation.id,
    reason: outcome,
    ...(keyId !== undefined && { keyId }),
  });
}

/** `Ignored`: the outcome was known by then, so the domain accepted the decision without an event. */
type RecordResolutionResult = 'Recorded' | 'Ignored' | 'Contended';

function recordResolution(
  { clock, paymentSender, verificationSender }: ResolverParts,
  target: TargetOperation,
  resolution: ManualResolution,
  cause: Cause,
): Promise<RecordResolutionResult> {
  const decision = { ...resolution, at: iso(clock.now()), cause };
  if (target.category === 'token') {
    return writeResolution(verificationSender, target, { ...decision, amount: 0 });
  }
  const { attempt, amount } = target.operation;
  return writeResolution(paymentSender, target, { ...decision, amount: attempt?.amount ?? amount });
}

interface OperatorDecision extends ManualResolution {
  readonly at: string;
  /** What an approval approves. */
  readonly amount: Cents;
  readonly cause: Cause;
}

async function writeResolution<State, Event extends StreamEvent, Refusal>(
  sender: AttemptSender<State, Event, Refusal>,
  { merchant, loaded, operation }: AttemptContext<State>,
  { at, outcome, reason, authCode, amount, cause }: OperatorDecision,
): Promise<RecordResolutionResult> {
  const { aggregate } = sender;
  const operationId = operation.id;
  const number = operation.attempt?.number ?? 0;
  const source = 'Operator' as const;
  const close = { at, operationId, try: number, source, reason };
  const answer = outcome === 'NotReceived' ? undefined : operatorResponse(outcome, amount, authCode);
  const written = answer
    ? await sender.record(loaded, { merchant, operationId, number, answer, source, cause })
    : await aggregate.repository.transact(
        loaded.stream,
        cause,
        (state) => aggregate.steps.closeNotExecuted(state, close),
        { known: loaded },
      );
  if (written.kind !== 'Written') return 'Contended';
  await aggregate.writeReadModels(written.loaded, operationId);
  return written.events.length > 0 ? 'Recorded' : 'Ignored';
}

function knownResult(
  parts: UnknownOutcomesParts,
  target: TargetOperation,
  row: WorkItem | undefined,
): ResolveResult {
  return {
    kind: 'Known',
    outcome: unknownOutcomeView(parts, target, row, true),
    known: knownOperation(target),
  };
}

function alreadyKnown(target: TargetOperation): ResolveResult {
  return { kind: 'KnownAlready', what: describeProgress(target) };
}
