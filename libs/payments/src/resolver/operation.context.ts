import {
  type Merchant,
  type AttemptedOperation,
  type PaymentState,
  type Payment,
  type Operation,
  type TokenState,
  type Token,
  type TokenOperation,
  type OperationId,
  findOperation,
  findTokenOperation,
} from '@tillstream/domain';
import type { AttemptSender } from '../attempts/attempt.sender.js';
import type { Parts } from '../parts.js';
import { serviceActor, type Cause, type StreamEvent } from '../stream-repository/event-metadata.js';
import { type LoadedStream, isStored } from '../stream-repository/repositories.js';

/** An operation with attempts, its stream, and its merchant. */
export interface AttemptContext<State> {
  readonly merchant: Merchant;
  readonly loaded: LoadedStream<State>;
  readonly operation: AttemptedOperation;
  readonly cause: Cause;
}

/** A payment and one of its operations. */
export interface PaymentContext extends AttemptContext<PaymentState> {
  readonly payment: Payment;
  readonly operation: Operation;
}

/** A token and one of its operations. */
export interface TokenContext extends AttemptContext<TokenState> {
  readonly token: Token;
  readonly operation: TokenOperation;
}

/** Undefined if the operation belongs to another aggregate, or is not stored. */
async function loadAttemptContext<State, Event extends StreamEvent, Rejection>(
  { authentication, onBehalfOf }: Parts,
  { aggregate }: AttemptSender<State, Event, Rejection>,
  operationId: OperationId,
): Promise<AttemptContext<State> | undefined> {
  const stream = aggregate.streamName(operationId);
  const loaded = stream === undefined ? undefined : await aggregate.repository.load(stream);
  const operation = loaded && aggregate.find(loaded.state, operationId);
  if (!loaded || !operation) return undefined;
  const merchant = await authentication.findMerchant(aggregate.inquiryContext(loaded.state).merchantId);
  if (!merchant) return undefined;
  const cause = { actor: serviceActor, ...onBehalfOf, merchantId: merchant.id, causationId: operationId };
  return { merchant, loaded, operation, cause };
}

export async function loadPaymentContext(
  parts: Parts,
  operationId: OperationId,
): Promise<PaymentContext | undefined> {
  const found = await loadAttemptContext(parts, parts.paymentSender, operationId);
  if (!found || !isStored(found.loaded)) return undefined;
  const payment = found.loaded.state;
  const operation = findOperation(payment, operationId);
  return operation && { ...found, payment, operation };
}

export async function loadTokenContext(
  parts: Parts,
  operationId: OperationId,
): Promise<TokenContext | undefined> {
  const found = await loadAttemptContext(parts, parts.verificationSender, operationId);
  if (!found || !isStored(found.loaded)) return undefined;
  const token = found.loaded.state;
  const operation = findTokenOperation(token, operationId);
  return operation && { ...found, token, operation };
}

/** A step of the payment protocol, for payments and card verifications alike. */
type AttemptStep<Result> = <State, Event extends StreamEvent, Rejection>(
  sender: AttemptSender<State, Event, Rejection>,
  found: AttemptContext<State>,
) => Promise<Result>;

/** Runs the step for the payment or card verification that has the operation. Undefined if no stream has it. */
export async function withAttempt<Result>(
  parts: Parts,
  operationId: OperationId,
  step: AttemptStep<Result>,
): Promise<Result | undefined> {
  const payment = await loadAttemptContext(parts, parts.paymentSender, operationId);
  if (payment) return step(parts.paymentSender, payment);
  const verification = await loadAttemptContext(parts, parts.verificationSender, operationId);
  return verification && step(parts.verificationSender, verification);
}
