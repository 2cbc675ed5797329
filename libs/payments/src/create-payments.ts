import {
  MAX_AMOUNT,
  paymentCodec,
  tokenCodec,
  type ConfirmationRule,
  type Payment,
} from '@tillstream/domain';
import { findOperationOfCommand } from './idempotency/existing-operation.js';
import { Authentication } from './authentication/authentication.js';
import { ExternalIds } from './account-holders/external-ids.js';
import { runFollowUp, followUps } from './follow-ups/follow-ups.js';
import { HolderErasure } from './account-holders/holder-erasure.js';
import { HolderRecords } from './account-holders/holder-records.js';
import { readHistory, type HistoryPage } from './history/transaction.history.js';
import { IdempotencyKeys } from './idempotency/idempotency-keys.js';
import {
  createHolderRepository,
  createMerchantStreams,
  createNoticeRepository,
  createPaymentRepository,
  createTokenRepository,
} from './stream-repository/repositories.js';
import { StreamProcessorInbox } from './processor-notices/processor-notice.inbox.js';
import { FormSessions } from './hosted-forms/form.sessions.js';
import { openFormPayment } from './hosted-forms/form-payments.js';
import { openTokenForm } from './hosted-forms/form-tokenization.js';
import type { VirtualPaymentRequest, VirtualTokenRequest } from './hosted-forms/hosted-form.types.js';
import { SessionIds, type SessionKeys } from './hosted-forms/session-ids.js';
import { runTerminalOperation } from './terminal-payments/terminal-payments.js';
import { PersonalDataAudit } from './operators/personal-data-audit.js';
import { noReadModels, type ReadModelWriter } from './read-model-write-through/write-through.js';
import { findOwnOperation, References } from './references/references.js';
import { RefundLimits } from './refund-limits/refund-limits.js';
import { Resolver } from './resolver/resolver.js';
import { findOwnTokenOperation, TokenDetailsReader } from './stored-cards/token-details.js';
import { payWithToken } from './token-payments/token-payments.js';
import { removeStoredCard, TokenRemoval } from './stored-cards/token-removal.js';
import { ResolutionProposals } from './unknown-outcomes/resolution-proposals.js';
import { type OnLateResponse, AttemptSender } from './attempts/attempt.sender.js';
import { CardVerificationAttempts } from './attempts/card-verification.attempts.js';
import { OutcomeRetries } from './attempts/outcome-retries.js';
import { PaymentAttempts } from './attempts/payment.attempts.js';
import type { Ports, Parts } from './parts.js';
import { recordLateResponse } from './resolver/attempt-inquiry.js';
import { ChallengeCvvs } from './three-ds/challenge.cvvs.js';
import { updateStoredCard } from './stored-cards/token-update.js';
import { tokenizeAtTerminal } from './terminal-tokenization/terminal-tokenization.js';
import { inquireNow } from './unknown-outcomes/forced-inquiry.js';
import { resolveManually } from './unknown-outcomes/manual-resolution.js';
import type { UnknownOutcomesParts } from './unknown-outcomes/target-operation.js';
import { listUnknown, summarizeUnknown } from './unknown-outcomes/unknown-outcomes.list.js';
import { AccountHolders } from './account-holders/account-holders.js';
import { Provisioning } from './operators/provisioning.js';
import type {
  RequestContext,
  OperationResult,
  PhysicalRequest,
  FollowUpInput,
} from './requests/request.types.js';
import type {
  TokenPaymentRequest,
  StoreCardRequest,
  TokenUpdateRequest,
} from './stored-cards/stored-card.types.js';
import type {
  UnknownOutcomesRequest,
  OperatorContext,
  ManualResolution,
} from './unknown-outcomes/unknown-outcomes.types.js';

export type PaymentsDependencies = Omit<Ports, 'readModels' | 'sessionIds'> & {
  readonly sessionKeys: SessionKeys;
  /** Left out: no read model is written through. */
  readonly readModels?: ReadModelWriter;
  /** When a manual resolution needs a second operator. Left out: never, as in sandbox mode. */
  readonly confirmation?: ConfirmationRule;
};

export function createPayments(dependencies: PaymentsDependencies) {
  const parts = createParts({
    ...dependencies,
    readModels: dependencies.readModels ?? noReadModels,
    sessionIds: new SessionIds(dependencies.sessionKeys),
  });
  const keys = new IdempotencyKeys(parts, (stream, commandId) =>
    findOperationOfCommand(parts, stream, commandId),
  );
  const resolver = new Resolver(parts, () => keys.forgetExpired());
  return {
    payments: createPaymentOperations(parts, keys),
    storedCards: createStoredCards(parts),
    forms: new FormSessions(parts),
    sessionIds: parts.sessionIds,
    accountHolders: new AccountHolders(parts),
    authentication: parts.authentication,
    provisioning: new Provisioning(parts),
    personalDataAudit: new PersonalDataAudit(parts),
    resolver,
    /** Adapters deliver their processors' notices here. */
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
    merchants: createMerchantStreams(ports),
    notices: createNoticeRepository(ports),
  };
  const common = {
    ...repositories,
    authentication: new Authentication(ports, repositories.merchants),
    references: new References(repositories),
    refundLimits: new RefundLimits(ports),
    outcomes: new OutcomeRetries(ports),
    challengeCvvs: new ChallengeCvvs(() => ports.clock.monotonicNow(), ports.timings.challengeLifetime),
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

/** The operations that the API and the command line call. */
function createPaymentOperations(parts: Parts, idempotency: IdempotencyKeys) {
  const { store, payments, tokens } = parts;
  type Operation<Request> = (context: RequestContext, request: Request) => Promise<OperationResult>;
  const atTerminal =
    (kind: 'Sale' | 'Auth' | 'UnreferencedRefund'): Operation<PhysicalRequest> =>
    (context, request) =>
      runTerminalOperation(parts, kind, context, request);
  const throughForm =
    (kind: 'Sale' | 'Auth' | 'UnreferencedRefund'): Operation<VirtualPaymentRequest> =>
    (context, request) =>
      openFormPayment(parts, kind, context, request);
  const withToken =
    (kind: 'Sale' | 'Auth'): Operation<TokenPaymentRequest> =>
    (context, request) =>
      payWithToken(parts, kind, context, request);
  const followUp =
    (kind: keyof typeof followUps): Operation<FollowUpInput> =>
    (context, request) =>
      runFollowUp(parts, followUps[kind], context, request);
  return {
    physicalSale: atTerminal('Sale'),
    physicalAuth: atTerminal('Auth'),
    unreferencedPhysicalRefund: atTerminal('UnreferencedRefund'),
    virtualSale: throughForm('Sale'),
    virtualAuth: throughForm('Auth'),
    unreferencedVirtualRefund: throughForm('UnreferencedRefund'),
    tokenSale: withToken('Sale'),
    tokenAuth: withToken('Auth'),
    capture: followUp('capture'),
    refund: followUp('refund'),
    void: followUp('void'),
    /** Undefined: the operation is unknown, another merchant's, or a reversal. */
    async find(merchantId: string, transactionId: string) {
      const found = await findOwnOperation(payments, merchantId, transactionId);
      return found && { payment: found.payment.state, operationId: found.operation.id };
    },
    /** Events of the transaction's payment or token, oldest first: at most `limit` from revision `from`, inclusive. */
    async history(merchantId: string, transactionId: string, page: HistoryPage) {
      const own = await findOwnOperation(payments, merchantId, transactionId);
      if (own) return readHistory(store, own.payment.stream, page, paymentCodec);
      const token = await findOwnTokenOperation(tokens, merchantId, transactionId);
      return token && readHistory(store, token.stream, page, tokenCodec);
    },
    idempotency,
  };
}

function createStoredCards(parts: Parts) {
  return {
    storeFromTerminal: (context: RequestContext, request: StoreCardRequest) =>
      tokenizeAtTerminal(parts, context, request),
    storeThroughForm: (context: RequestContext, request: VirtualTokenRequest) =>
      openTokenForm(parts, context, request),
    update: (context: RequestContext, tokenId: string, change: TokenUpdateRequest) =>
      updateStoredCard(parts, context, tokenId, change),
    remove: (context: RequestContext, tokenId: string) => removeStoredCard(parts, context, tokenId),
    find: (merchantId: string, transactionId: string) => parts.tokenDetails.find(merchantId, transactionId),
    detailsOf: (payment: Payment) => parts.tokenDetails.ofPayment(payment),
  };
}

function createUnknownOutcomes(parts: UnknownOutcomesParts) {
  return {
    list: (request: UnknownOutcomesRequest) => listUnknown(parts, request),
    inquire: (operator: OperatorContext, transactionId: string) => inquireNow(parts, operator, transactionId),
    resolve: (
      operator: OperatorContext,
      transactionId: string,
      resolution: ManualResolution,
      commandId?: string,
    ) => resolveManually(parts, operator, { transactionId, resolution, commandId }),
    summary: () => summarizeUnknown(parts),
  };
}

export type PaymentsUseCases = ReturnType<typeof createPayments>;
export type Payments = PaymentsUseCases['payments'];
export type StoredCards = PaymentsUseCases['storedCards'];
export type Forms = Pick<
  PaymentsUseCases['forms'],
  'find' | 'submit' | 'cancel' | 'completeChallenge' | 'completeChallengeOf'
>;
export type UnknownOutcomes = PaymentsUseCases['unknownOutcomes'];
