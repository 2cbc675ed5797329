import {
  MAX_AMOUNT,
  paymentCodec,
  tokenCodec,
  type ConfirmationRule,
  type Merchant,
  type OperationId,
} from '@tillstream/domain';
import type { Leases } from '@tillstream/event-consumers';
import type { EventStore, RecordedEvent } from '@tillstream/event-store';
import type { DefiniteResponse, ProcessorInbox, Processors } from '@tillstream/processors';
import type { Vault } from '@tillstream/vault';
import { StreamAccountHolders } from './account-holders/account-holders.js';
import {
  AttemptSender,
  OutcomeRetries,
  PaymentAttempts,
  CardVerificationAttempts,
} from './attempts/index.js';
import { findOperationOfCommand } from './idempotency/existing-operation.js';
import type { Clock } from './ports/clock.port.js';
import type { CrashPoints } from './ports/crash-points.port.js';
import { StreamAuthentication } from './authentication/authentication.js';
import { fromRecorded, eventMetadata } from './stream-repository/event-metadata.js';
import { ExternalIds } from './account-holders/external-ids.js';
import { findOwnOperation, runFollowUp, followUps, type FollowUpParts } from './follow-ups/follow-ups.js';
import { HolderErasure } from './account-holders/holder-erasure.js';
import { HolderRecords } from './account-holders/holder-records.js';
import type { IdempotencyStore } from './idempotency/idempotency.port.js';
import { IdempotencyKeys } from './idempotency/idempotency-keys.js';
import {
  createHolderRepository,
  createPaymentRepository,
  createTokenRepository,
} from './stream-repository/stream-repositories.js';
import type { PaymentsLog } from './ports/log.port.js';
import { createNoticeRepository, StreamProcessorInbox } from './processor-notices/processor-notice.inbox.js';
import type { WorkQueue } from './work-queue/work-queue.port.js';
import { runTerminalOperation } from './terminal-payments/terminal-payments.js';
import type { PersonalDataAudit } from './operators/operators.types.js';
import { StreamPersonalDataAudit } from './operators/personal-data-audit.js';
import { StreamProvisioning } from './operators/provisioning.js';
import type { Provisioning } from './operators/provisioning.types.js';
import type { Resolver } from './resolver/resolver.types.js';
import { noReadModels, type ReadModelWriter } from './read-model-write-through/read-model-writer.port.js';
import { References } from './references/references.js';
import { RefundLimits } from './refund-limits/refund-limits.js';
import type { ResolverParts } from './resolver/payment.context.js';
import { recordLateResponse } from './resolver/late-response.js';
import { WorkResolver } from './resolver/resolver.js';
import type { StoredCards } from './stored-cards/stored-card.types.js';
import type { AccountHolders } from './account-holders/account-holder.types.js';
import { createStoredCards } from './stored-cards/stored-cards.js';
import type { Timings } from './timings.js';
import { findOwnTokenOperation, TokenDetailsReader } from './stored-cards/token-details.js';
import { payWithToken, type TokenPaymentParts } from './token-payments/token-payments.js';
import { TokenRemoval } from './stored-cards/token-removal.js';
import { ResolutionProposals } from './unknown-outcomes/resolution-proposals.js';
import { createUnknownOutcomes } from './unknown-outcomes/unknown-outcomes.js';
import type { UnknownOutcomes } from './unknown-outcomes/unknown-outcomes.types.js';
import type { HistoryEntry, Payments } from './payments.types.js';
import type { Authentication } from './authentication/authentication.types.js';
import type { Idempotency } from './idempotency/idempotency.types.js';

/** The ports, stores and settings of the use cases. */
export interface PaymentsDependencies {
  readonly store: EventStore;
  readonly processors: Processors;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly idempotency: IdempotencyStore;
  readonly workQueue: WorkQueue;
  /** Decides which process runs the resolver. */
  readonly leases: Leases;
  readonly timings: Timings;
  readonly crashPoints: CrashPoints;
  readonly log: PaymentsLog;
  /** Left out: no read model is written through. */
  readonly readModels?: ReadModelWriter;
  /** When a manual resolution needs a second operator. Left out: never, as in sandbox mode. */
  readonly confirmation?: ConfirmationRule;
}

export interface PaymentsUseCases {
  readonly payments: Payments;
  readonly storedCards: StoredCards;
  readonly accountHolders: AccountHolders;
  readonly authentication: Authentication;
  readonly provisioning: Provisioning;
  readonly personalDataAudit: PersonalDataAudit;
  readonly resolver: Resolver;
  /** Adapters deliver their processors' notices here. */
  readonly inbox: ProcessorInbox;
  readonly unknownOutcomes: UnknownOutcomes;
}

export function createPayments(dependencies: PaymentsDependencies): PaymentsUseCases {
  const { store, clock, idempotency, workQueue, leases, timings, log } = dependencies;
  const readModels = dependencies.readModels ?? noReadModels;
  const authentication = new StreamAuthentication(store, clock);
  const ports = {
    ...dependencies,
    readModels,
    payments: createPaymentRepository(store, clock),
    tokens: createTokenRepository(store, clock),
    holders: createHolderRepository(store, clock),
  };
  const { payments, tokens } = ports;
  const common = {
    ...ports,
    references: new References(store, payments, clock),
    refundLimits: new RefundLimits(store, clock),
    outcomes: new OutcomeRetries(clock, timings, log),
    externalIds: new ExternalIds(store, ports.holders, clock, timings),
    removal: new TokenRemoval(ports),
    notices: createNoticeRepository(store, clock),
    facts: new TokenDetailsReader(tokens, ports.vault, log),
    findMerchant: (merchantId: string): Promise<Merchant | undefined> =>
      authentication.findMerchant(merchantId),
    readMerchant: (merchantId: string): Promise<Merchant | undefined> =>
      authentication.readMerchant(merchantId),
  };
  const senderParts = { ...common, onLateResponse: lateResponseRecorder(() => resolving, log) };
  const resolving: ResolverParts = {
    ...common,
    paymentSender: new AttemptSender(senderParts, new PaymentAttempts(common)),
    verificationSender: new AttemptSender(senderParts, new CardVerificationAttempts(common)),
    erasure: new HolderErasure(common),
  };
  const parts = { ...common, ...resolving, holderRecords: new HolderRecords(common) };
  const keys = new IdempotencyKeys(
    idempotency,
    (stream, commandId) => findOperationOfCommand(parts, stream, commandId),
    clock,
    timings,
    log,
  );
  const resolver = new WorkResolver({
    ...{ store, workQueue, leases, resolving },
    runHousekeeping: () => keys.forgetExpired(),
  });

  return {
    payments: createPaymentOperations(parts, keys),
    storedCards: createStoredCards(parts),
    accountHolders: new StreamAccountHolders(parts),
    authentication,
    provisioning: new StreamProvisioning(store, clock, readModels, authentication),
    personalDataAudit: new StreamPersonalDataAudit(store, clock),
    resolver,
    inbox: new StreamProcessorInbox(common),
    unknownOutcomes: createUnknownOutcomes({
      resolving,
      resolver,
      workQueue,
      resolutions: new ResolutionProposals(store, clock),
      rule: dependencies.confirmation ?? { mode: 'sandbox', above: MAX_AMOUNT },
    }),
  };
}

/** Records late responses without making the adapter wait. If the append fails, a later inquiry finds the outcome. */
function lateResponseRecorder(
  resolving: () => ResolverParts,
  log: PaymentsLog,
): (operationId: OperationId, number: number, answer: DefiniteResponse) => void {
  return (operationId, number, answer) =>
    void recordLateResponse(resolving(), operationId, number, answer).catch(() =>
      log.error('late-answer-not-written', { operationId }),
    );
}

function createPaymentOperations(
  parts: TokenPaymentParts & FollowUpParts & { readonly store: EventStore },
  idempotency: Idempotency,
): Payments {
  const { store, payments, tokens } = parts;
  return {
    physicalSale: (context, request) => runTerminalOperation(parts, 'Sale', context, request),
    physicalAuth: (context, request) => runTerminalOperation(parts, 'Auth', context, request),
    unreferencedPhysicalRefund: (context, request) =>
      runTerminalOperation(parts, 'UnreferencedRefund', context, request),
    tokenSale: (context, request) => payWithToken(parts, 'Sale', context, request),
    tokenAuth: (context, request) => payWithToken(parts, 'Auth', context, request),
    capture: (context, request) => runFollowUp(parts, followUps.capture, context, request),
    refund: (context, request) => runFollowUp(parts, followUps.refund, context, request),
    void: (context, request) => runFollowUp(parts, followUps.void, context, request),
    async find(merchantId, transactionId) {
      const found = await findOwnOperation(payments, merchantId, transactionId);
      if (!found || found.payment.state.status === 'None') return undefined;
      return { payment: found.payment.state, operationId: found.operation.id };
    },
    async history(merchantId, transactionId, page) {
      const own = await findOwnOperation(payments, merchantId, transactionId);
      if (own)
        return readHistory(store, own.payment.stream, page, (event) => fromRecorded(paymentCodec, event));
      const token = await findOwnTokenOperation(tokens, merchantId, transactionId);
      return token && readHistory(store, token.stream, page, (event) => fromRecorded(tokenCodec, event));
    },
    idempotency,
  };
}

async function readHistory(
  store: EventStore,
  stream: string,
  page: { readonly from: number; readonly limit: number },
  decode: (recorded: RecordedEvent) => HistoryEntry['event'],
): ReturnType<Payments['history']> {
  const { events, end } = await store.readStream(stream, page);
  const entries = events.map((recorded) => {
    const { actor, serviceTime, reason, traceId } = eventMetadata(recorded);
    return {
      sequence: recorded.revision,
      event: decode(recorded),
      timestamp: serviceTime,
      actor,
      ...(reason !== undefined && { reason }),
      ...(traceId !== undefined && { traceId }),
    };
  });
  return { entries, end };
}
