import type { Merchant } from '@tillstream/domain';
import { paymentCodec, streamOfOperation, type OperationId, type TryAnswer } from '@tillstream/domain';
import type { EventStore } from '@tillstream/event-store';
import type { Processor } from '@tillstream/processors';
import type { Clock } from './clock.port.js';
import type { CrashPoints } from './crash-points.port.js';
import { StreamDirectory } from './directory.js';
import { fromRecorded, metadataOf } from './event-metadata.js';
import { findOwn, followUp, followUps } from './follow-up.js';
import type { IdempotencyStore } from './idempotency.port.js';
import { IdempotencyKeys } from './idempotency.js';
import type { PaymentsLog } from './log.port.js';
import type { OpenWorkStore } from './open-work.port.js';
import { openAtTerminal } from './opening.js';
import { PaymentJournal } from './payment.journal.js';
import type { Provisioning, Resolver } from './provisioning.types.js';
import { StreamProvisioning } from './provisioning.js';
import { References } from './references.js';
import { RefundLimits } from './refund-limits.js';
import { hearLateAnswer } from './resolver/aftermath.work.js';
import type { ResolveParts } from './resolver/case.js';
import { WorkResolver } from './resolver/resolver.js';
import { Sending } from './sending.js';
import type { Timings } from './timings.js';
import type { Directory, Payments } from './use-cases.types.js';

/** All that the use cases stand on. */
export interface PaymentsDependencies {
  readonly store: EventStore;
  readonly processor: Processor;
  readonly clock: Clock;
  readonly idempotency: IdempotencyStore;
  readonly openWork: OpenWorkStore;
  readonly timings: Timings;
  readonly crashPoints: CrashPoints;
  readonly log: PaymentsLog;
}

export interface PaymentsModule {
  readonly payments: Payments;
  readonly directory: Directory;
  readonly provisioning: Provisioning;
  readonly resolver: Resolver;
}

export function createPayments(dependencies: PaymentsDependencies): PaymentsModule {
  const { store, processor, clock, idempotency, openWork, timings, crashPoints, log } = dependencies;
  const journal = new PaymentJournal(store, clock);
  const directory = new StreamDirectory(store, clock);
  const references = new References(store, journal, clock);
  const refundLimits = new RefundLimits(store, clock);
  const merchant = (merchantId: string): Promise<Merchant | undefined> => directory.merchant(merchantId);
  const hearLate = (operationId: OperationId, number: number, answer: TryAnswer): void => {
    hearLateAnswer(resolving, operationId, number, answer).catch(() => {
      // The later looks of the resolver find it.
      log.error('late-answer-not-written', { operationId });
    });
  };
  const sending = new Sending(journal, processor, clock, timings, crashPoints, log, hearLate);
  const resolving: ResolveParts = {
    journal,
    processor,
    sending,
    refundLimits,
    clock,
    timings,
    log,
    merchant,
  };
  const idempotencyKeys = new IdempotencyKeys(idempotency, journal, clock, timings);
  const parts = {
    journal,
    references,
    refundLimits,
    idempotency,
    clock,
    sending,
    crashPoints,
    timings,
    log,
    freshMerchant: (merchantId: string) => directory.freshMerchant(merchantId),
  };

  const payments: Payments = {
    physicalSale: (context, request) => openAtTerminal(parts, 'Sale', context, request),
    physicalAuth: (context, request) => openAtTerminal(parts, 'Auth', context, request),
    unreferencedPhysicalRefund: (context, request) =>
      openAtTerminal(parts, 'UnreferencedRefund', context, request),
    capture: (context, request) => followUp(parts, followUps.capture, context, request),
    refund: (context, request) => followUp(parts, followUps.refund, context, request),
    void: (context, request) => followUp(parts, followUps.void, context, request),
    async find(merchantId, transactionId) {
      const found = await findOwn(journal, merchantId, transactionId);
      if (!found || found.payment.state.status === 'None') return undefined;
      return { payment: found.payment.state, operationId: found.operation.id };
    },
    async history(merchantId, transactionId, { from, limit }) {
      const stream = streamOfOperation(transactionId);
      if (!stream || !(await findOwn(journal, merchantId, transactionId))) return undefined;
      const page = await store.readStream(stream, { from, limit });
      const entries = page.events.map((recorded) => {
        const { actor, serviceTime, reason, traceId } = metadataOf(recorded);
        return {
          sequence: recorded.revision,
          event: fromRecorded(paymentCodec, recorded),
          timestamp: serviceTime,
          actor,
          ...(reason !== undefined && { reason }),
          ...(traceId !== undefined && { traceId }),
        };
      });
      return { entries, end: page.end };
    },
    idempotency: idempotencyKeys,
  };
  return {
    payments,
    directory,
    provisioning: new StreamProvisioning(store, clock),
    resolver: new WorkResolver(store, openWork, resolving, () => idempotencyKeys.forgetExpired()),
  };
}
