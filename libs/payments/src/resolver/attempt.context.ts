import type { AttemptedOperation, Merchant, OperationId } from '@tillstream/domain';
import type { AttemptSender } from '../attempts/index.js';
import { serviceActor, type Cause } from '../stream-repository/event-metadata.js';
import type { LoadedStream } from '../stream-repository/stream-repository.js';
import type { ResolverParts } from './payment.context.js';

export type StreamEvent = { readonly type: string; readonly data: object };

/** An operation with attempts, in its stream, with the merchant whose it is. */
export interface AttemptContext<State> {
  readonly merchant: Merchant;
  readonly loaded: LoadedStream<State>;
  readonly operation: AttemptedOperation;
  readonly cause: Cause;
}

type AttemptContextParts = Pick<ResolverParts, 'findMerchant' | 'onBehalfOf'>;

/** Undefined: the operation is of another aggregate, or was never stored. */
export async function loadAttemptContext<State, Event extends StreamEvent, Refusal>(
  { findMerchant, onBehalfOf }: AttemptContextParts,
  { aggregate }: AttemptSender<State, Event, Refusal>,
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

/** A step of the protocol, for whichever aggregate. */
export type AttemptStep<Result> = <State, Event extends StreamEvent, Refusal>(
  sender: AttemptSender<State, Event, Refusal>,
  found: AttemptContext<State>,
) => Promise<Result>;

/** Takes a step with an operation of any aggregate that has attempts. Undefined: no such operation was stored. */
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
