import {
  isDeferred,
  hasUnknownOutcome,
  parseOperationId,
  type Cents,
  type Currency,
  type OperationId,
  type OperationKind,
  type Progress,
} from '@tillstream/domain';
import { eventMetadata } from '../stream-repository/event-metadata.js';
import { loadPaymentContext, type PaymentContext, type ResolverParts } from '../resolver/payment.context.js';
import { loadTokenContext, type TokenContext } from '../resolver/token.context.js';
import type { KnownOperation } from './unknown-outcomes.types.js';

/** The operation that an operator inquires about or resolves: of a payment or of a token. */
export type TargetOperation =
  ({ readonly category: 'payment' } & PaymentContext) | ({ readonly category: 'token' } & TokenContext);

/** Finds every operation that has attempts, the service's own reversals too. */
export async function findTargetOperation(
  parts: ResolverParts,
  transactionId: string,
): Promise<TargetOperation | undefined> {
  const address = parseOperationId(transactionId);
  if (!address) return undefined;
  const id = transactionId as OperationId;
  if (address.category === 'payment') {
    const found = await loadPaymentContext(parts, id);
    return found && { category: 'payment', ...found };
  }
  const found = await loadTokenContext(parts, id);
  return found && { category: 'token', ...found };
}

export function isUnknownOperation({ operation }: TargetOperation): boolean {
  return operation.attempt !== undefined && hasUnknownOutcome(operation);
}

/** Whether the outcome is unknown, or the processor promised it for later. */
export function isOpenToOperators(target: TargetOperation): boolean {
  return isUnknownOperation(target) || isDeferred(target.operation);
}

export function operationSummary(target: TargetOperation): {
  readonly type: OperationKind | 'TokenCreate';
  readonly amount?: Cents;
  readonly currency: Currency;
} {
  if (target.category === 'token') return { type: 'TokenCreate', currency: target.token.currency };
  const { kind: type, amount } = target.operation;
  return { type, amount, currency: target.payment.currency };
}

export function knownOperation(target: TargetOperation): KnownOperation {
  const operationId = target.operation.id;
  return target.category === 'payment'
    ? { payment: target.payment, operationId }
    : { token: target.token, operationId };
}

/** Whether the stream has an event that this command caused. */
export function hasCommand({ loaded }: TargetOperation, commandId: string): boolean {
  return loaded.history.some((recorded) => eventMetadata(recorded).causationId === commandId);
}

/** Explains to an operator why there is nothing to resolve. */
export function describeProgress({ operation: { progress, responses } }: TargetOperation): string {
  const code = responses[0]?.outcome.responseCode;
  return PROGRESS_TEXTS[progress.status](code);
}

type ProgressText = (responseCode: number | undefined) => string;
const PROGRESS_TEXTS: Readonly<Record<Progress['status'], ProgressText>> = {
  AwaitingCustomer: () => 'it waits for its customer, and nothing is under way',
  ChallengeOpen: () => 'its customer is being authenticated, and nothing is under way',
  InFlight: () => 'it is on its way',
  Interrupted: () => 'it is unknown',
  Processing: () => 'the bank has it, and its answer is still to come',
  Approved: (code) => `it was approved (response code ${code ?? 1})`,
  Declined: (code) => `it was declined (response code ${code ?? 10})`,
  Cancelled: () => 'it was cancelled, and no money moved',
  FormExpired: () => 'its form expired, and no money moved',
  NotExecuted: () => 'it did not happen (response code 50), and no money moved',
  NotSent: () => 'it was never sent, and no money moved',
};
