import type { AttemptedOperation, Merchant, OperationId } from '@tillstream/domain';
import type { AttemptSender } from '../attempts/index.js';
import { serviceActor, type Cause } from '../stream-repository/event-metadata.js';
import type { LoadedStream } from '../stream-repository/stream-repository.js';
import type { ResolverParts } from './payment.context.js';

export type StreamEvent = { readonly type: string; readonly data: object };

/** An operation with attempts, its stream, and its merchant. */
export interface AttemptContext<State> {
  readonly merchant: Merchant;
  readonly loaded: LoadedStream<State>;
  readonly operation: AttemptedOperation;
  readonly cause: Cause;
}

type AttemptContextParts = Pick<ResolverParts, 'findMerchant' | 'onBehalfOf'>;

/** Undefined if the operation belongs to another aggregate, or is not stored. */
export async function loadAttemptContext<State, Event extends StreamEvent, Rejection>(
  { findMerchant, onBehalfOf }: AttemptContextParts,
  { aggregate }: AttemptSender<State, Event, Rejection>,
  operationId: OperationId,
): Promise<AttemptContext<State> | undefined> {
  const stream = aggregate.streamName(operationId);
  const loaded = stream === undefined ? undefined : await aggregate.repository.load(stream);
  const operation = loaded && aggregate.find(loaded.state, operationId);
  if (!loaded || !operation) return undefined;
  const merchant = await findMerchant(aggregate.inquiryContext(loaded.state).merchantId);
  if (!merchant) return undefined;
  const cause = { actor: serviceActor, ...onBehalfOf, merchantId: merchant.id, causationId: operationId };
  return { merchant, loaded, operation, cause };
}

/** A step of the payment protocol, for payments and card verifications alike. */
export type AttemptStep<Result> = <State, Event extends StreamEvent, Rejection>(
  sender: AttemptSender<State, Event, Rejection>,
  found: AttemptContext<State>,
) => Promise<Result>;

/** Runs the step for the payment or card verification that has the operation. Undefined if no stream has it. */
export async function withAttempt<Result>(
  parts: AttemptContextParts & Pick<ResolverParts, 'paymentSender' | 'verificationSender'>,
  operationId: OperationId,
  step: AttemptStep<Result>,
): Promise<Result | undefined> {
  const payment = await loadAttemptContext(parts, parts.paymentSender, operationId);
  if (payment) return step(parts.paymentSender, payment);
  const verification = await loadAttemptContext(parts, parts.verificationSender, operationId);
  return verification && step(parts.verificationSender, verification);
}
