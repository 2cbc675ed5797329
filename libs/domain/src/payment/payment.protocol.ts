import type { OperationId } from '../shared/ids.js';
import { accepted, refused } from '../shared/decision.js';
import type { PaymentDecision } from './payment.commands.js';
import type { OutcomeSource } from './payment.events.js';
import { findOperation, isPending, type Operation, type PaymentState } from './payment.state.js';

/*
 * The steps of a try on its way to the processor and back, but its answer (payment.answer.ts). Each may be told twice or
 * too late, by a process that was stalled or another that took over: then nothing is left to say.
 */

interface OfTry {
  readonly at: string;
  readonly operationId: OperationId;
  readonly try: number;
}

/** No answer in time, or none found after a crash. */
export function interrupt(
  state: PaymentState,
  {
    at,
    operationId,
    try: number,
    cause,
    lostLink,
  }: OfTry & { readonly cause: 'NoAnswer' | 'Abandoned'; readonly lostLink: boolean },
): PaymentDecision {
  const operation = tryInHand(state, operationId, number);
  if (operation?.progress.status !== 'InFlight') return accepted([], operationId);
  return accepted(
    [{ type: 'Interrupted', data: { at, operationId, try: number, cause, lostLink } }],
    operationId,
  );
}

/** Said by the one who would have sent it. It no longer counts once the resolver sends the try itself. */
export function notSent(
  state: PaymentState,
  { at, operationId, try: number, reason }: OfTry & { readonly reason: string },
): PaymentDecision {
  const operation = tryInHand(state, operationId, number);
  const sendersWord = operation?.progress.status === 'InFlight' && !operation.try?.resent;
  if (!sendersWord) return accepted([], operationId);
  return accepted([{ type: 'NotSent', data: { at, operationId, try: number, reason } }], operationId);
}

/** The processor promised never to execute it, or an operator says that it did not. */
export function closeNotExecuted(
  state: PaymentState,
  {
    at,
    operationId,
    try: number,
    source,
    reason,
  }: OfTry & { readonly source: OutcomeSource; readonly reason?: string },
): PaymentDecision {
  const operation =
    source === 'Operator' ? unknownTry(state, operationId, number) : tryInHand(state, operationId, number);
  if (!operation) return accepted([], operationId);
  const data = { at, operationId, try: number, source, ...(reason !== undefined && { reason }) };
  return accepted([{ type: 'NotExecuted', data }], operationId);
}

/**
 * Written before the resolver sends a capture, void, refund or reversal again. Refused after `NotSent` and for what would
 * take a card's money twice if the processor had forgotten the key.
 */
export function resend(
  state: PaymentState,
  {
    at,
    operationId,
    try: number,
    sendBefore,
    answerBefore,
  }: OfTry & { readonly sendBefore: string; readonly answerBefore: string },
): PaymentDecision {
  const operation = tryInHand(state, operationId, number);
  const repeatable = operation !== undefined && operation.kind !== 'Sale' && operation.kind !== 'Auth';
  if (!repeatable || operation.kind === 'UnreferencedRefund') {
    return refused({ code: 'StepOutOfOrder', message: 'This try can not be sent again.' });
  }
  return accepted(
    [{ type: 'ResendRequested', data: { at, operationId, try: number, sendBefore, answerBefore } }],
    operationId,
  );
}

/** The operation, while this is its last try and the try has no outcome. */
export function tryInHand(
  state: PaymentState,
  operationId: OperationId,
  number: number,
): Operation | undefined {
  const operation = findOperation(state, operationId);
  if (!operation || operation.try?.number !== number) return undefined;
  // A form that waits for its customer waits for the next try: the last one failed.
  return isPending(operation) && operation.progress.status !== 'AwaitingCustomer' ? operation : undefined;
}

/** The same, and nobody who was asked has answered yet: all that an operator may speak of. */
export function unknownTry(
  state: PaymentState,
  operationId: OperationId,
  number: number,
): Operation | undefined {
  const operation = tryInHand(state, operationId, number);
  return operation && isUnknown(operation) ? operation : undefined;
}

/** It was on its way to a processor when it was last heard of. */
export function isUnknown({ progress }: Pick<Operation, 'progress'>): boolean {
  return progress.status === 'InFlight' || progress.status === 'Interrupted';
}
