import { operatorResponse, needsConfirmation, type Cents } from '@tillstream/domain';
import { iso } from '../ports/clock.port.js';
import { hasCommand, type Cause, type StreamEvent } from '../stream-repository/event-metadata.js';
import { newCommandId } from '../identifiers.js';
import type { WorkItem } from '../work-queue/work-queue.port.js';
import { operatorIdentity } from './resolution-proposals.js';
import {
  findTargetOperation,
  isUnknownOperation,
  knownOperation,
  describeProgress,
  type TargetOperation,
  catchUpWorkQueue,
  findWorkItem,
  tooEarly,
  type UnknownOutcomesParts,
} from './target-operation.js';
import { unknownOutcomeView } from './unknown-outcomes.list.js';
import type {
  ManualResolution,
  OperatorContext,
  ResolveRequest,
  ResolveResult,
} from './unknown-outcomes.types.js';
import type { AttemptSender } from '../attempts/attempt.sender.js';
import type { Parts } from '../parts.js';
import type { CommandCause } from '../requests/request.writer.js';
import type { AttemptContext } from '../resolver/operation.context.js';

/**
 * Records an operator's decision about an unknown outcome (`docs/spec/unknown-outcomes.md#manual-resolution`). The domain
 * ignores the decision if the processor answered first: `attemptSteps` in `libs/domain/src/attempt/attempt.steps.ts`
 * (`recordResponse`, `closeNotExecuted`). The resolver still makes late inquiries after `NotReceived` and `Declined`; it
 * reverses a late execution.
 *
 * @param commandId a repeated command changes nothing and gets the same result
 */
export async function resolveManually(
  parts: UnknownOutcomesParts,
  operator: OperatorContext,
  { transactionId, resolution, commandId = newCommandId() }: ResolveRequest,
): Promise<ResolveResult> {
  const target = await findTargetOperation(parts, transactionId);
  if (!target) return { kind: 'NotFound' };
  if (!isUnknownOperation(target)) {
    return hasCommand(target.loaded.history, commandId)
      ? knownResult(parts, target, undefined)
      : alreadyKnown(target);
  }
  if (target.category === 'token' && resolution.outcome === 'Approved') return { kind: 'NoTokenWithoutCard' };
  await catchUpWorkQueue(parts);
  const row = await findWorkItem(parts, target);
  const early = tooEarly(parts, target, row);
  if (early) return early;

  const { actor, traceId } = operator;
  const { outcome, reason } = resolution;
  const cause = { merchantId: target.merchant.id, actor, traceId, causationId: commandId, reason };
  const decided = await confirm(parts, { target, row }, resolution, cause);
  if (decided.kind !== 'Decided') return decided;
  const result = await recordResolution(parts, target, decided.resolution, cause);
  if (result === 'Contended') return { kind: 'Contended' };
  const resolved = await findTargetOperation(parts, target.operation.id);
  if (!resolved) return { kind: 'NotFound' };
  // The resolver or a late response recorded an outcome first, and that outcome counts.
  if (result === 'Ignored') return alreadyKnown(resolved);
  const { keyId } = actor;
  const fields = { operationId: target.operation.id, reason: outcome, ...(keyId !== undefined && { keyId }) };
  parts.log.info('outcome-resolved', fields);
  return knownResult(parts, resolved, row);
}

/** Proposes or confirms the decision if one operator must not decide alone. */
async function confirm(
  parts: UnknownOutcomesParts,
  { target, row }: { readonly target: TargetOperation; readonly row: WorkItem | undefined },
  resolution: ManualResolution,
  cause: CommandCause,
): Promise<ResolveResult | { readonly kind: 'Decided'; readonly resolution: ManualResolution }> {
  const { resolutions, rule, clock } = parts;
  if (target.category === 'token' || !needsConfirmation(rule, target.operation.amount)) {
    return { kind: 'Decided', resolution };
  }
  const { outcome, reason } = resolution;
  const { operation, payment, merchant } = target;
  const proposed = await resolutions.proposeOrConfirm(cause, {
    outcome,
    reason,
    ...(resolution.authCode !== undefined && { authCode: resolution.authCode }),
    at: iso(clock.now()),
    commandId: cause.causationId,
    operationId: operation.id,
    merchantId: merchant.id,
    try: operation.attempt?.number ?? 0,
    amount: operation.amount,
    currency: payment.currency,
    by: operatorIdentity(cause.actor),
  });
  if (proposed.kind === 'Contended') return proposed;
  if (proposed.kind === 'Rejected') return { kind: 'SameOperator', message: proposed.rejection.message };
  const { kind, proposal } = proposed.value;
  if (kind === 'AwaitsConfirmation') {
    const unknown = { ...unknownOutcomeView(parts, target, row), proposal };
    return { kind, outcome: unknown, known: knownOperation(target) };
  }
  const { authCode } = proposal;
  return { kind: 'Decided', resolution: { outcome, reason, ...(authCode !== undefined && { authCode }) } };
}

/** `Ignored`: the outcome was known by then, so the domain accepted the decision without an event. */
type RecordResolutionResult = 'Recorded' | 'Ignored' | 'Contended';

function recordResolution(
  { clock, paymentSender, verificationSender }: Parts,
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
  /** The approved amount, if the outcome is `Approved`. */
  readonly amount: Cents;
  readonly cause: Cause;
}

async function writeResolution<State, Event extends StreamEvent, Rejection>(
  sender: AttemptSender<State, Event, Rejection>,
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
    : await aggregate.repository.transact(loaded, cause, (state) =>
        aggregate.steps.closeNotExecuted(state, close),
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
