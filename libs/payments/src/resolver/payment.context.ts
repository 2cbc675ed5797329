import {
  findOperation,
  type Merchant,
  type Operation,
  type OperationId,
  type Payment,
  type PaymentState,
} from '@tillstream/domain';
import type { Processors } from '@tillstream/processors';
import type { PaymentSender, CardVerificationSender } from '../attempts/index.js';
import type { Clock } from '../ports/clock.port.js';
import type { Cause } from '../stream-repository/event-metadata.js';
import type { PaymentsLog } from '../ports/log.port.js';
import type { HolderErasure } from '../account-holders/holder-erasure.js';
import type {
  HolderRepository,
  PaymentRepository,
  TokenRepository,
} from '../stream-repository/stream-repositories.js';
import type { NoticeRepository } from '../processor-notices/processor-notice.inbox.js';
import type { RefundLimits } from '../refund-limits/refund-limits.js';
import type { ReadModelWriter } from '../read-model-write-through/read-model-writer.port.js';
import type { Timings } from '../timings.js';
import type { TokenRemoval } from '../stored-cards/token-removal.js';
import { loadAttemptContext, type AttemptContext } from './attempt.context.js';

export interface ResolverParts {
  readonly payments: PaymentRepository;
  readonly processors: Processors;
  readonly paymentSender: PaymentSender;
  readonly refundLimits: RefundLimits;
  readonly tokens: TokenRepository;
  readonly holders: HolderRepository;
  readonly verificationSender: CardVerificationSender;
  readonly notices: NoticeRepository;
  readonly removal: TokenRemoval;
  readonly erasure: HolderErasure;
  readonly clock: Clock;
  readonly timings: Timings;
  readonly log: PaymentsLog;
  readonly readModels: ReadModelWriter;
  /** The operator who runs a work item by hand. Absent if the resolver runs it because it is due. */
  readonly onBehalfOf?: Pick<Cause, 'actor' | 'traceId'>;
  findMerchant(merchantId: string): Promise<Merchant | undefined>;
}

/** A payment and one of its operations. */
export interface PaymentContext extends AttemptContext<PaymentState> {
  readonly payment: Payment;
  readonly operation: Operation;
}

export async function loadPaymentContext(
  parts: ResolverParts,
  operationId: OperationId,
): Promise<PaymentContext | undefined> {
  const found = await loadAttemptContext(parts, parts.paymentSender, operationId);
  const payment = found?.loaded.state;
  if (!payment || payment.status === 'None') return undefined;
  const operation = findOperation(payment, operationId);
  return operation && { ...found, payment, operation };
}
