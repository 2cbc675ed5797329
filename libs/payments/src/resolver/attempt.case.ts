import type { AttemptedOperation, Merchant, OperationId } from '@tillstream/domain';
import type { AttemptSender } from '../attempts/index.js';
import { theService, type Cause } from '../event-metadata.js';
import type { Loaded } from '../journal.js';
import type { ResolveParts } from './case.js';

export type StreamEvent = { readonly type: string; readonly data: object };

/** An operation with attempts, in its stream, with the merchant whose it is. */
export interface AttemptCase<State> {
  readonly merchant: Merchant;
  readonly loaded: Loaded<State>;
  readonly operation: AttemptedOperation;
  readonly cause: Cause;
}

type CaseParts = Pick<ResolveParts, 'merchant' | 'onBehalfOf'>;

/** Undefined: the operation is of another aggregate, or was never stored. */
export async function loadAttempt<State, Event extends StreamEvent, Refusal>(
  { merchant: merchantOf, onBehalfOf }: CaseParts,
  { attempted }: AttemptSender<State, Event, Refusal>,
  operationId: OperationId,
): Promise<AttemptCase<State> | undefined> {
  const stream = attempted.streamOf(operationId);
  const loaded = stream === undefined ? undefined : await attempted.journal.load(stream);
  const operation = loaded && attempted.find(loaded.state, operationId);
  if (!loaded || !operation) return undefined;
  const merchant = await merchantOf(attempted.placeOf(loaded.state).merchantId);
  if (!merchant) return undefined;
  const cause = { actor: theService, ...onBehalfOf, merchantId: merchant.id, causationId: operationId };
  return { merchant, loaded, operation, cause };
}

/** A step of the protocol, for whichever aggregate. */
export type AttemptStep<Result> = <State, Event extends StreamEvent, Refusal>(
  sender: AttemptSender<State, Event, Refusal>,
  found: AttemptCase<State>,
) => Promise<Result>;

/** Takes a step with an operation of any aggregate that has attempts. Undefined: no such operation was stored. */
export async function withAttempt<Result>(
  parts: CaseParts & Pick<ResolveParts, 'paymentSender' | 'verificationSender'>,
  operationId: OperationId,
  step: AttemptStep<Result>,
): Promise<Result | undefined> {
  const payment = await loadAttempt(parts, parts.paymentSender, operationId);
  if (payment) return step(parts.paymentSender, payment);
  const verification = await loadAttempt(parts, parts.verificationSender, operationId);
  return verification && step(parts.verificationSender, verification);
}
