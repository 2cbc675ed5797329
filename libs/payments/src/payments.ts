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
import { StreamAccountHolders } from './account-holders.js';
import { AttemptSender, OutcomeRetries, PaymentAttempts, VerificationAttempts } from './attempts/index.js';
import { findBegun } from './begun.operation.js';
import type { Clock } from './clock.port.js';
import type { CrashPoints } from './crash-points.port.js';
import { StreamDirectory } from './directory.js';
import { fromRecorded, metadataOf } from './event-metadata.js';
import { ExternalIds } from './external-ids.js';
import { findOwn, followUp, followUps, type FollowUpParts } from './follow-up.js';
import { HolderErasure } from './holder.erasure.js';
import { Holders } from './holders.js';
import type { IdempotencyStore } from './idempotency.port.js';
import { IdempotencyKeys } from './idempotency.js';
import {
  holderJournal,
  paymentJournal,
  tokenJournal,
  type HolderJournal,
  type PaymentJournal,
  type TokenJournal,
} from './journals.js';
import type { PaymentsLog } from './log.port.js';
import { noticeJournal, StreamProcessorInbox } from './notices.js';
import type { OpenWorkStore } from './open-work.port.js';
import { openAtTerminal } from './opening.js';
import type { PersonalDataAudit } from './operators/operators.types.js';
import { StreamPersonalDataAudit } from './operators/personal-data.audit.js';
import { StreamProvisioning } from './provisioning.js';
import type { Provisioning, Resolver } from './provisioning.types.js';
import { noReadModels, type ReadModelWriter } from './read-model.port.js';
import { References } from './references.js';
import { RefundLimits } from './refund-limits.js';
import type { ResolveParts } from './resolver/case.js';
import { recordLateAnswer } from './resolver/late.answer.js';
import { WorkResolver } from './resolver/resolver.js';
import type { AccountHolders, StoredCards } from './stored-card.types.js';
import { storedCards } from './stored-cards.js';
import type { Timings } from './timings.js';
import { findOwnTokenOperation, TokenFactsReader } from './token.facts.js';
import { payWithToken, type TokenPaymentParts } from './token.payments.js';
import { TokenRemoval } from './token.removal.js';
import { Resolutions } from './unknown-outcomes/resolutions.js';
import { unknownOutcomes } from './unknown-outcomes/unknown-outcomes.js';
import type { UnknownOutcomes } from './unknown-outcomes/unknown-outcomes.types.js';
import type { Directory, HistoryEntry, Idempotency, Payments } from './use-cases.types.js';

/** All that the use cases stand on. */
export interface PaymentsDependencies {
  readonly store: EventStore;
  readonly processors: Processors;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly idempotency: IdempotencyStore;
  readonly workQueue: OpenWorkStore;
  /** Which process leads the resolver. */
  readonly leases: Leases;
  readonly timings: Timings;
  readonly crashPoints: CrashPoints;
  readonly log: PaymentsLog;
  /** Left out: nobody reads what was written a moment ago but from its stream. */
  readonly readModels?: ReadModelWriter;
  /** When an operator's word on an unknown outcome needs a second operator; left out: never, as in the sandbox. */
  readonly confirmation?: ConfirmationRule;
}

export interface PaymentsModule {
  readonly payments: Payments;
  readonly storedCards: StoredCards;
  readonly accountHolders: AccountHolders;
  readonly directory: Directory;
  readonly provisioning: Provisioning;
  readonly personalDataAudit: PersonalDataAudit;
  readonly resolver: Resolver;
  /** Where adapters hand in what their processors say on their own. */
  readonly inbox: ProcessorInbox;
  readonly unknownOutcomes: UnknownOutcomes;
}

export function createPayments(dependencies: PaymentsDependencies): PaymentsModule {
  const { store, clock, idempotency, workQueue, leases, timings, log } = dependencies;
  const readModels = dependencies.readModels ?? noReadModels;
  const directory = new StreamDirectory(store, clock);
  const ports = { ...dependencies, readModels, ...journalsOf(dependencies) };
  const { journal, tokens } = ports;
  const common = {
    ...ports,
    references: new References(store, journal, clock),
    refundLimits: new RefundLimits(store, clock),
    outcomes: new OutcomeRetries(clock, timings, log),
    externalIds: new ExternalIds(store, ports.holders, clock, timings),
    removal: new TokenRemoval(ports),
    notices: noticeJournal(store, clock),
    facts: new TokenFactsReader(tokens, ports.vault, log),
    merchant: (merchantId: string): Promise<Merchant | undefined> => directory.merchant(merchantId),
    freshMerchant: (merchantId: string): Promise<Merchant | undefined> => directory.freshMerchant(merchantId),
  };
  const senderParts = { ...common, onLateAnswer: lateAnswers(() => resolving, log) };
  const resolving: ResolveParts = {
    ...common,
    paymentSender: new AttemptSender(senderParts, new PaymentAttempts(common)),
    verificationSender: new AttemptSender(senderParts, new VerificationAttempts(common)),
    erasure: new HolderErasure(common),
  };
  const parts = { ...common, ...resolving, known: new Holders(common) };
  const keys = new IdempotencyKeys(
    idempotency,
    (stream, commandId) => findBegun(parts, stream, commandId),
    clock,
    timings,
    log,
  );
  const resolver = new WorkResolver({
    ...{ store, table: workQueue, leases, resolving },
    keepHouse: () => keys.forgetExpired(),
  });

  return {
    payments: paymentsOf(parts, keys),
    storedCards: storedCards(parts),
    accountHolders: new StreamAccountHolders(parts),
    directory,
    provisioning: new StreamProvisioning(store, clock, readModels, directory),
    personalDataAudit: new StreamPersonalDataAudit(store, clock),
    resolver,
    inbox: new StreamProcessorInbox(common),
    unknownOutcomes: unknownOutcomes({
      resolving,
      resolver,
      table: workQueue,
      resolutions: new Resolutions(store, clock),
      rule: dependencies.confirmation ?? { mode: 'sandbox', above: MAX_AMOUNT },
    }),
  };
}

function journalsOf({ store, clock }: PaymentsDependencies): {
  readonly journal: PaymentJournal;
  readonly tokens: TokenJournal;
  readonly holders: HolderJournal;
} {
  return {
    journal: paymentJournal(store, clock),
    tokens: tokenJournal(store, clock),
    holders: holderJournal(store, clock),
  };
}

/** Records late answers without making the adapter wait. If the append fails, a later inquiry finds the answer. */
function lateAnswers(
  resolving: () => ResolveParts,
  log: PaymentsLog,
): (operationId: OperationId, number: number, answer: DefiniteResponse) => void {
  return (operationId, number, answer) =>
    void recordLateAnswer(resolving(), operationId, number, answer).catch(() =>
      log.error('late-answer-not-written', { operationId }),
    );
}

function paymentsOf(
  parts: TokenPaymentParts & FollowUpParts & { readonly store: EventStore },
  idempotency: Idempotency,
): Payments {
  const { store, journal, tokens } = parts;
  return {
    physicalSale: (context, request) => openAtTerminal(parts, 'Sale', context, request),
    physicalAuth: (context, request) => openAtTerminal(parts, 'Auth', context, request),
    unreferencedPhysicalRefund: (context, request) =>
      openAtTerminal(parts, 'UnreferencedRefund', context, request),
    tokenSale: (context, request) => payWithToken(parts, 'Sale', context, request),
    tokenAuth: (context, request) => payWithToken(parts, 'Auth', context, request),
    capture: (context, request) => followUp(parts, followUps.capture, context, request),
    refund: (context, request) => followUp(parts, followUps.refund, context, request),
    void: (context, request) => followUp(parts, followUps.void, context, request),
    async find(merchantId, transactionId) {
      const found = await findOwn(journal, merchantId, transactionId);
      if (!found || found.payment.state.status === 'None') return undefined;
      return { payment: found.payment.state, operationId: found.operation.id };
    },
    async history(merchantId, transactionId, page) {
      const own = await findOwn(journal, merchantId, transactionId);
      if (own) return readHistory(store, own.payment.stream, page, (one) => fromRecorded(paymentCodec, one));
      const token = await findOwnTokenOperation(tokens, merchantId, transactionId);
      return token && readHistory(store, token.stream, page, (one) => fromRecorded(tokenCodec, one));
    },
    idempotency,
  };
}

async function readHistory(
  store: EventStore,
  stream: string,
  page: { readonly from: number; readonly limit: number },
  decoded: (recorded: RecordedEvent) => HistoryEntry['event'],
): ReturnType<Payments['history']> {
  const { events, end } = await store.readStream(stream, page);
  const entries = events.map((recorded) => {
    const { actor, serviceTime, reason, traceId } = metadataOf(recorded);
    return {
      sequence: recorded.revision,
      event: decoded(recorded),
      timestamp: serviceTime,
      actor,
      ...(reason !== undefined && { reason }),
      ...(traceId !== undefined && { traceId }),
    };
  });
  return { entries, end };
}
