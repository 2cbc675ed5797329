import {
  findOperation,
  type Merchant,
  type Operation,
  type OperationId,
  type Payment,
} from '@tillstream/domain';
import type { Processors } from '@tillstream/processors';
import type { PaymentSender, VerificationSender } from '../attempts/index.js';
import type { Clock } from '../clock.port.js';
import type { Cause } from '../event-metadata.js';
import type { PaymentsLog } from '../log.port.js';
import type { HolderErasure } from '../holder.erasure.js';
import type { HolderJournal, LoadedPayment, PaymentJournal, TokenJournal } from '../journals.js';
import type { NoticeJournal } from '../notices.js';
import type { RefundLimits } from '../refund-limits.js';
import type { ReadModelWriter } from '../read-model.port.js';
import type { Timings } from '../timings.js';
import type { TokenRemoval } from '../token.removal.js';
import { loadAttempt } from './attempt.case.js';

export interface ResolveParts {
  readonly journal: PaymentJournal;
  readonly processors: Processors;
  readonly paymentSender: PaymentSender;
  readonly refundLimits: RefundLimits;
  readonly tokens: TokenJournal;
  readonly holders: HolderJournal;
  readonly verificationSender: VerificationSender;
  readonly notices: NoticeJournal;
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
  const found = await loadAttempt(parts, parts.paymentSender, operationId);
  const payment = found?.loaded.state;
  if (!payment || payment.status === 'None') return undefined;
  const operation = findOperation(payment, operationId);
  return operation && { ...found, payment, operation };
}
