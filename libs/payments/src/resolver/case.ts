import {
  findOperation,
  movedAmount,
  streamOfOperation,
  type Merchant,
  type Operation,
  type OperationId,
  type Payment,
} from '@tillstream/domain';
import type { Inquiry, Processor } from '@tillstream/processors';
import type { Clock } from '../clock.port.js';
import { theService, type Cause } from '../event-metadata.js';
import type { PaymentsLog } from '../log.port.js';
import type { HolderErasure } from '../holder.erasure.js';
import type { HolderJournal, LoadedPayment, PaymentJournal, TokenJournal } from '../journals.js';
import { processorKey } from '../processor.requests.js';
import type { RefundLimits } from '../refund-limits.js';
import type { Departure } from '../departure.js';
import type { Sending } from '../sending.js';
import type { ReadModelWriter } from '../read-model.port.js';
import { tellOfPayment } from '../telling.js';
import type { Timings } from '../timings.js';
import type { TokenRemoval } from '../token.removal.js';
import type { Verifying } from '../verifying.js';

/**
 * What a piece of work came to. `Again`: it could not be done or is not known yet, and the schedule says when to try it
 * again. `NextLook`: this look was answered, and the schedule may have another.
 */
export type Worked = 'Done' | 'Again' | 'NextLook' | 'Operator';

export interface ResolveParts {
  readonly journal: PaymentJournal;
  readonly processor: Processor;
  readonly sending: Sending;
  readonly refundLimits: RefundLimits;
  readonly tokens: TokenJournal;
  readonly holders: HolderJournal;
  readonly verifying: Verifying;
  readonly removal: TokenRemoval;
  readonly erasure: HolderErasure;
  readonly clock: Clock;
  readonly timings: Timings;
  readonly log: PaymentsLog;
  readonly readModels: ReadModelWriter;
  /** Who wants it done now; left out: the service itself, when it is due. */
  readonly onBehalfOf?: Pick<Cause, 'actor' | 'traceId'>;
  merchant(merchantId: string): Promise<Merchant | undefined>;
}

/** A payment in hand, as the handlers below need it. */
export interface Case {
  readonly merchant: Merchant;
  readonly loaded: LoadedPayment;
  readonly payment: Payment;
  readonly operation: Operation;
  readonly cause: Cause;
}

export async function load(parts: ResolveParts, operationId: OperationId): Promise<Case | undefined> {
  const stream = streamOfOperation(operationId);
  const loaded = stream && (await parts.journal.load(stream));
  if (!loaded || loaded.state.status === 'None') return undefined;
  const operation = findOperation(loaded.state, operationId);
  const merchant = await parts.merchant(loaded.state.merchantId);
  if (!operation || !merchant) return undefined;
  const cause = causeOf(parts, merchant.id, operationId);
  return { merchant, loaded, payment: loaded.state, operation, cause };
}

export function causeOf(
  { onBehalfOf }: Pick<ResolveParts, 'onBehalfOf'>,
  merchantId: string,
  operationId: OperationId,
): Cause {
  return { actor: theService, ...onBehalfOf, merchantId, causationId: operationId };
}

export async function sent(
  parts: ResolveParts,
  merchant: Merchant,
  payment: LoadedPayment,
  operationId: OperationId,
  cause: Cause,
  departure: Departure,
): Promise<Worked> {
  const result = await parts.sending.send(merchant, payment, operationId, cause, departure.startedAt);
  if (result.kind === 'Interrupted') return 'Again';
  await tellOfPayment(parts.readModels, result.payment);
  const operation = findOperation(result.payment.state, operationId);
  if (operation?.kind === 'Reversal' && movedAmount(operation) === 0) {
    parts.log.error('reversal-failed', { operationId, reason: operation.progress.status });
  }
  return 'Done';
}

export function inquiryOf(
  { timings }: ResolveParts,
  { merchantId, channel }: Pick<Payment, 'merchantId' | 'channel'>,
  operationId: OperationId,
  number: number,
): Inquiry {
  return {
    merchantId,
    channel,
    key: processorKey(operationId, number),
    deadlineMs: timings.processorDeadline,
  };
}
