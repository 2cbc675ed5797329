import {
  accepted,
  completeVerificationThreeDs,
  findTokenOperation,
  foldToken,
  interruptVerification,
  isOpenAttempt,
  openVerificationChallenge,
  pick,
  recordVerification,
  removeToken,
  resendVerification,
  ResponseCode,
  streamOfHolder,
  streamOfTokenOperation,
  closeVerificationNotExecuted,
  recordVerificationNotSent,
  type Cents,
  type Currency,
  type OperationId,
  type Token,
  type TokenOperation,
  type TokenDecision,
  type TokenEvent,
  type TokenRejection,
  type TokenState,
  type AttemptResponse,
  type BillingContact,
} from '@tillstream/domain';
import type {
  ProcessorResponse,
  AttemptCall,
  BankAccountDetails,
  CardCredential,
  DefiniteResponse,
  Processor,
} from '@tillstream/processors';
import { newCommandId } from '../identifiers.js';
import { encodeVaultAccount, maskedAccountNumber } from '../stored-cards/bank-account.codec.js';
import {
  attemptSubject,
  isStorableCard,
  encodeVaultCard,
  openTokenPersonal,
} from '../stored-cards/vault.codec.js';
import { storeSecret, type SecretToStore, type StoredSecret } from '../stored-cards/stored-secret.js';
import { type LoadedToken, type TokenRepository, requireStored } from '../stream-repository/repositories.js';
import { writeThrough } from '../read-model-write-through/write-through.js';
import { verificationReceiptLines } from '../receipts/receipt-lines.js';
import type { AttemptSender } from './attempt.sender.js';
import {
  requireOperation,
  type AttemptAggregate,
  type PaymentSecret,
  type ResponseRecorder,
  type ResponseToRecord,
} from './attempt.aggregate.js';
import { processorAccount } from './processor-requests.js';
import type { Parts } from '../parts.js';

export type CardVerificationSender = AttemptSender<TokenState, TokenEvent, TokenRejection>;

/** A response without its card or bank account, which is in the vault. */
interface StorableResponse {
  readonly answer: AttemptResponse;
  readonly card?: StoredSecret;
}

/**
 * The attempts of card verifications, and of bank accounts to store, which the service answers itself. The vault has the card
 * or account before the token's stream has the outcome.
 */
export class CardVerificationAttempts implements AttemptAggregate<TokenState, TokenEvent, TokenRejection> {
  readonly repository: TokenRepository;
  readonly steps = {
    interrupt: interruptVerification,
    notSent: recordVerificationNotSent,
    closeNotExecuted: closeVerificationNotExecuted,
    resend: resendVerification,
  };
  readonly threeDs = {
    openChallenge: openVerificationChallenge,
    completeThreeDs: completeVerificationThreeDs,
  };
  readonly requestEventType = 'VerificationRequested';
  readonly streamName = streamOfTokenOperation;
  readonly find = findTokenOperation;
  readonly inquiryContext = (state: TokenState): Token => requireStored(state);
  /** The customer has left the terminal when the resolver runs. */
  readonly canResend = (): boolean => false;
  /** A card verification moves no money. */
  readonly newlyBrokenLimits = (): readonly string[] => [];

  constructor(private readonly parts: Pick<Parts, 'tokens' | 'holders' | 'vault' | 'readModels'>) {
    this.repository = parts.tokens;
  }

  needsAuthentication(state: TokenState, operationId: OperationId): boolean {
    const operation = requireOperation(findTokenOperation(state, operationId), operationId);
    const isForm = requireStored(state).form?.enable3DSecure === true;
    return isForm && operation.attempt?.threeDs === undefined;
  }

  /** A card that is stored is verified for 0.00. */
  authenticatedAmount(state: TokenState): { amount: Cents; currency: Currency } {
    return { amount: 0, currency: requireStored(state).currency };
  }

  attemptSubject(state: TokenState, _operationId: OperationId, number: number): string {
    return attemptSubject(requireStored(state).id, number);
  }

  call(
    processor: Processor,
    { state, operationId }: { readonly state: TokenState; readonly operationId: OperationId },
    call: AttemptCall,
    { card, bankAccount, billing }: PaymentSecret,
  ): Promise<ProcessorResponse> {
    if (bankAccount) return Promise.resolve(storedAtOnce(bankAccount));
    const token = requireStored(state);
    const { merchantId, channel, currency, terminalId } = token;
    const operation = requireOperation(findTokenOperation(token, operationId), operationId);
    const account = processorAccount(operation);
    const authenticated = operation.attempt && pick(operation.attempt, 'threeDs');
    const terminal = terminalId !== undefined && { terminalId };
    const given = { ...(card && { card }), ...(billing && { billing }) };
    const request = { merchantId, account, channel, currency, ...terminal, ...given, ...authenticated };
    return processor.verify(request, call);
  }

  async prepareRecorder(
    { state }: LoadedToken,
    { merchant, operationId, number, answer, source, cause, secret }: ResponseToRecord,
  ): Promise<ResponseRecorder<TokenState, TokenEvent, TokenRejection>> {
    const token = requireStored(state);
    // The attempt has an outcome already: no token will use this card, so the card is not stored.
    const operation = requireOperation(findTokenOperation(token, operationId), operationId);
    if (!isOpenAttempt(operation, number)) {
      return { decide: () => accepted([], operationId) };
    }
    const bankAccount = secret?.bankAccount;
    const stored = await this.storeApproved(token, operation, answer, bankAccount);
    const erasedHolderId = stored.card && (await this.erasedHolder(token));
    const personal = stored.card?.personal;
    return {
      decide: (now, at) => {
        const recorded = recordVerification(now, {
          at,
          operationId,
          try: number,
          source: bankAccount ? 'Service' : source,
          answer: stored.answer,
          receiptLines: verificationReceiptLines(merchant, token, stored.answer, at),
          ...(cause.reason !== undefined && { reason: cause.reason }),
          ...(stored.card && { personal: stored.card.sealed }),
          ...(bankAccount && { accountNumber: maskedAccountNumber(bankAccount.accountNumber) }),
        });
        return erasedHolderId === undefined ? recorded : withRemoval(now, recorded, at, erasedHolderId);
      },
      ...(personal && { personal }),
    };
  }

  async writeReadModels(loaded: LoadedToken): Promise<void> {
    await writeThrough(this.parts.readModels, loaded);
  }

  /** An approval without a card or bank account that can be stored creates no token. */
  private async storeApproved(
    token: Token,
    { attempt }: TokenOperation,
    answer: DefiniteResponse,
    bankAccount: BankAccountDetails | undefined,
  ): Promise<StorableResponse> {
    if (answer.kind !== 'Approved') return { answer };
    const { credential, ...approval } = answer;
    // The process that had the customer's data in memory may have ended.
    const submitted = await openTokenPersonal(this.parts.vault, attempt?.personal);
    const stored = bankAccount
      ? { secret: encodeVaultAccount(bankAccount), personal: submitted ?? {} }
      : storableCard(credential, submitted?.billingContact);
    const card = stored && (await storeSecret(this.parts.vault, token.id, stored));
    return card ? { answer: approval, card } : { answer: declined(approval) };
  }

  /**
   * Runs after the token's request is durable. If an erasure ran before the request, it did not find the token, and this
   * finds the holder erased. If an erasure runs later, it finds the token.
   */
  private async erasedHolder({ accountHolderId }: Token): Promise<string | undefined> {
    const stream = accountHolderId === undefined ? undefined : streamOfHolder(accountHolderId);
    if (!stream) return undefined;
    const { state } = await this.parts.holders.load(stream);
    return state.status === 'Erased' ? accountHolderId : undefined;
  }
}

/** Stores and removes the token in one append, so that a token of an erased holder can never be used. */
function withRemoval(
  state: TokenState,
  recorded: TokenDecision,
  at: string,
  erasedHolderId: string,
): TokenDecision {
  if (recorded.kind === 'Rejected') return recorded;
  const events: readonly TokenEvent[] = recorded.events;
  const removed = removeToken(foldToken(events, state), { at, commandId: newCommandId(), erasedHolderId });
  return removed.kind === 'Rejected' ? recorded : accepted([...events, ...removed.events], recorded.value);
}

/** No bank is asked before the first debit (`docs/spec/bank-payments.md#stored-accounts`). */
function storedAtOnce({ accountType }: BankAccountDetails): DefiniteResponse {
  const facts = { responseCode: ResponseCode.Approved, ...(accountType && { accountType }) };
  return { kind: 'Approved', amount: 0, facts };
}

/** Undefined if the processor gave no card, or a token that can not be stored. */
function storableCard(
  credential: CardCredential | undefined,
  billingContact: BillingContact | undefined,
): SecretToStore | undefined {
  if (!credential || !isStorableCard(credential)) return undefined;
  const personal = { cardExpDate: credential.expDate, ...(billingContact && { billingContact }) };
  return { secret: encodeVaultCard(credential), personal };
}

const declined = ({ facts }: Extract<AttemptResponse, { kind: 'Approved' }>): AttemptResponse => ({
  kind: 'Declined',
  facts: { ...facts, responseCode: ResponseCode.Unknown },
});
