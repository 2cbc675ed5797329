import {
  MAX_AMOUNT,
  paymentCodec,
  tokenCodec,
  type ConfirmationRule,
  type EventCodec,
  type PaymentEvent,
  type TokenEvent,
} from '@tillstream/domain';
import type { EventStore } from '@tillstream/event-store';
import type { ProcessorInbox } from '@tillstream/processors';
import { findOperationOfCommand } from './idempotency/existing-operation.js';
import { Authentication } from './authentication/authentication.js';
import { fromRecorded, eventMetadata } from './stream-repository/event-metadata.js';
import { ExternalIds } from './account-holders/external-ids.js';
import { findOwnOperation, runFollowUp, followUps } from './follow-ups/follow-ups.js';
import { HolderErasure } from './account-holders/holder-erasure.js';
import { HolderRecords } from './account-holders/holder-records.js';
import { IdempotencyKeys } from './idempotency/idempotency-keys.js';
import {
  createHolderRepository,
  createNoticeRepository,
  createPaymentRepository,
  createTokenRepository,
} from './stream-repository/stream-repositories.js';
import { StreamProcessorInbox } from './processor-notices/processor-notice.inbox.js';
import { runTerminalOperation } from './terminal-payments/terminal-payments.js';
import { PersonalDataAudit } from './operators/personal-data-audit.js';
import { noReadModels, type ReadModelWriter } from './read-model-write-through/write-through.js';
import { References } from './references/references.js';
import { RefundLimits } from './refund-limits/refund-limits.js';
import { Resolver } from './resolver/resolver.js';
import type { StoredCards } from './stored-cards/stored-card.types.js';
import { findOwnTokenOperation, TokenDetailsReader } from './stored-cards/token-details.js';
import { payWithToken } from './token-payments/token-payments.js';
import { removeStoredCard, TokenRemoval } from './stored-cards/token-removal.js';
import { ResolutionProposals } from './unknown-outcomes/resolution-proposals.js';
import type { UnknownOutcomes } from './unknown-outcomes/unknown-outcomes.types.js';
import type { Payments } from './payments.types.js';
import { type OnLateResponse, AttemptSender } from './attempts/attempt.sender.js';
import { CardVerificationAttempts } from './attempts/card-verification.attempts.js';
import { OutcomeRetries } from './attempts/outcome-retries.js';
import { PaymentAttempts } from './attempts/payment.attempts.js';
import type { Ports, Parts } from './parts.js';
import { recordLateResponse } from './resolver/attempt-inquiry.js';
import { updateStoredCard } from './stored-cards/token-update.js';
import { tokenizeAtTerminal } from './terminal-tokenization/terminal-tokenization.js';
import { inquireNow } from './unknown-outcomes/forced-inquiry.js';
import { resolveManually } from './unknown-outcomes/manual-resolution.js';
import type { UnknownOutcomesParts } from './unknown-outcomes/target-operation.js';
import { listUnknown, summarizeUnknown } from './unknown-outcomes/unknown-outcomes.list.js';
import { AccountHolders } from './account-holders/account-holders.js';
import { Provisioning } from './operators/provisioning.js';

export type PaymentsDependencies = Omit<Ports, 'readModels'> & {
  /** Left out: no read model is written through. */
  readonly readModels?: ReadModelWriter;
  /** When a manual resolution needs a second operator. Left out: never, as in sandbox mode. */
  readonly confirmation?: ConfirmationRule;
};

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
  const parts = createParts({ ...dependencies, readModels: dependencies.readModels ?? noReadModels });
  const keys = new IdempotencyKeys(parts, (stream, commandId) =>
    findOperationOfCommand(parts, stream, commandId),
  );
  const resolver = new Resolver(parts, () => keys.forgetExpired());
  return {
    payments: createPaymentOperations(parts, keys),
    storedCards: {
      storeFromTerminal: (context, request) => tokenizeAtTerminal(parts, context, request),
      update: (context, tokenId, change) => updateStoredCard(parts, context, tokenId, change),
      remove: (context, tokenId) => removeStoredCard(parts, context, tokenId),
      find: (merchantId, transactionId) => parts.tokenDetails.find(merchantId, transactionId),
      detailsOf: (payment) => parts.tokenDetails.ofPayment(payment),
    },
    accountHolders: new AccountHolders(parts),
    authentication: parts.authentication,
    provisioning: new Provisioning(parts),
    personalDataAudit: new PersonalDataAudit(parts),
    resolver,
    inbox: new StreamProcessorInbox(parts),
    unknownOutcomes: createUnknownOutcomes({
      ...parts,
      resolver,
      resolutions: new ResolutionProposals(parts),
      rule: dependencies.confirmation ?? { mode: 'sandbox', above: MAX_AMOUNT },
    }),
  };
}

function createParts(ports: Ports): Parts {
  const repositories = {
    ...ports,
    payments: createPaymentRepository(ports),
    tokens: createTokenRepository(ports),
    holders: createHolderRepository(ports),
    notices: createNoticeRepository(ports),
  };
  const common = {
    ...repositories,
    authentication: new Authentication(ports),
    references: new References(repositories),
    refundLimits: new RefundLimits(ports),
    outcomes: new OutcomeRetries(ports),
    tokenDetails: new TokenDetailsReader(repositories),
    removal: new TokenRemoval(repositories),
    externalIds: new ExternalIds(repositories),
  };
  /** Records late responses without making the adapter wait. If the append fails, a later inquiry finds the outcome. */
  const onLateResponse: OnLateResponse = (operationId, number, answer) =>
    void recordLateResponse(parts, operationId, number, answer).catch(() =>
      ports.log.error('late-answer-not-written', { operationId }),
    );
  const parts: Parts = {
    ...common,
    paymentSender: new AttemptSender(common, new PaymentAttempts(common), onLateResponse),
    verificationSender: new AttemptSender(common, new CardVerificationAttempts(common), onLateResponse),
    holderRecords: new HolderRecords(common),
    erasure: new HolderErasure(common),
  };
  return parts;
}

function createPaymentOperations(parts: Parts, idempotency: IdempotencyKeys): Payments {
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
      if (own) return readHistory(store, own.payment.stream, page, paymentCodec);
      const token = await findOwnTokenOperation(tokens, merchantId, transactionId);
      return token && readHistory(store, token.stream, page, tokenCodec);
    },
    idempotency,
  };
}

function createUnknownOutcomes(parts: UnknownOutcomesParts): UnknownOutcomes {
  return {
    list: (request) => listUnknown(parts, request),
    inquire: (operator, transactionId) => inquireNow(parts, operator, transactionId),
    resolve: (operator, transactionId, resolution, commandId) =>
      resolveManually(parts, operator, {
        transactionId,
        resolution,
        ...(commandId !== undefined && { commandId }),
      }),
    summary: () => summarizeUnknown(parts),
  };
}

async function readHistory(
  store: EventStore,
  stream: string,
  page: { readonly from: number; readonly limit: number },
  codec: EventCodec<PaymentEvent> | EventCodec<TokenEvent>,
): ReturnType<Payments['history']> {
  const { events, end } = await store.readStream(stream, page);
  const entries = events.map((recorded) => {
    const { actor, serviceTime, reason, traceId } = eventMetadata(recorded);
    return {
      sequence: recorded.revision,
      event: fromRecorded<PaymentEvent | TokenEvent>(codec, recorded),
      timestamp: serviceTime,
      actor,
      ...(reason !== undefined && { reason }),
      ...(traceId !== undefined && { traceId }),
    };
  });
  return { entries, end };
}
