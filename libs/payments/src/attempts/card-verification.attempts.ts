import {
  accepted,
  findTokenOperation,
  foldToken,
  interruptVerification,
  isOpenAttempt,
  recordVerification,
  removeToken,
  resendVerification,
  ResponseCode,
  streamOfHolder,
  streamOfTokenOperation,
  closeVerificationNotExecuted,
  recordVerificationNotSent,
  type Encrypted,
  type OperationId,
  type Token,
  type TokenDecision,
  type TokenEvent,
  type TokenOperation,
  type TokenPersonal,
  type TokenRejection,
  type TokenState,
  type AttemptResponse,
} from '@tillstream/domain';
import type {
  ProcessorResponse,
  AttemptCall,
  CardCredential,
  DefiniteResponse,
  Processor,
} from '@tillstream/processors';
import type { Vault } from '@tillstream/vault';
import { newCommandId } from '../identifiers.js';
import { isStorableCard, encodeVaultCard } from '../stored-cards/vault-card.codec.js';
import type {
  HolderRepository,
  LoadedToken,
  TokenRepository,
} from '../stream-repository/stream-repositories.js';
import type { ReadModelWriter } from '../read-model-write-through/read-model-writer.port.js';
import { verificationReceiptLines } from '../receipts/receipt-lines.js';
import { sealPersonal } from '../stored-cards/personal-data.codec.js';
import { writeThroughToken } from '../read-model-write-through/write-through.js';
import type { AttemptSender } from './attempt.sender.js';
import type { AttemptAggregate, ResponseRecorder, ResponseToRecord } from './attempt.aggregate.js';
import { processorAccount } from './processor-requests.js';

export type CardVerificationSender = AttemptSender<TokenState, TokenEvent, TokenRejection>;

export interface CardVerificationAttemptsParts {
  readonly tokens: TokenRepository;
  readonly holders: HolderRepository;
  readonly vault: Vault;
  readonly readModels: ReadModelWriter;
}

/** An answer as it may be written down: without the card, which is in the vault by then. */
interface StorableResponse {
  readonly answer: AttemptResponse;
  readonly card?: VaultedCard;
}

interface VaultedCard {
  readonly personal: TokenPersonal;
  readonly sealed: Encrypted;
}

/** The check of a card that is to be stored. A card is in the vault before its token is. */
export class CardVerificationAttempts implements AttemptAggregate<TokenState, TokenEvent, TokenRejection> {
  readonly repository: TokenRepository;
  readonly steps = {
    interrupt: interruptVerification,
    notSent: recordVerificationNotSent,
    closeNotExecuted: closeVerificationNotExecuted,
    resend: resendVerification,
  };
  readonly requestEventType = 'VerificationRequested';

  constructor(private readonly parts: CardVerificationAttemptsParts) {
    this.repository = parts.tokens;
  }

  streamName(operationId: OperationId): string | undefined {
    return streamOfTokenOperation(operationId);
  }

  find(state: TokenState, operationId: OperationId): TokenOperation | undefined {
    return findTokenOperation(state, operationId);
  }

  inquiryContext(state: TokenState): Pick<Token, 'merchantId' | 'channel' | 'terminalId'> {
    return requested(state);
  }

  /** Its customer is not at the terminal any more. */
  canResend(): boolean {
    return false;
  }

  call(
    processor: Processor,
    state: TokenState,
    operationId: OperationId,
    call: AttemptCall,
  ): Promise<ProcessorResponse> {
    const token = requested(state);
    const { merchantId, channel, currency, terminalId } = token;
    const account = processorAccount(operationIn(token, operationId));
    const terminal = terminalId !== undefined && { terminalId };
    return processor.verify({ merchantId, account, channel, currency, ...terminal }, call);
  }

  async prepareRecorder(
    { state }: LoadedToken,
    { merchant, operationId, number, answer, source, cause }: ResponseToRecord,
  ): Promise<ResponseRecorder<TokenState, TokenEvent, TokenRejection>> {
    const token = requested(state);
    // The card of an answer that comes when it is over is not kept: no token will have it.
    if (!isOpenAttempt(operationIn(token, operationId), number)) {
      return { decide: () => accepted([], operationId) };
    }
    const kept = await this.keep(token, answer);
    const erasedHolderId = kept.card && (await this.erasedHolder(token));
    const personal = kept.card?.personal;
    return {
      decide: (now, at) => {
        const recorded = recordVerification(now, {
          at,
          operationId,
          try: number,
          source,
          answer: kept.answer,
          receiptLines: verificationReceiptLines(merchant, token, kept.answer, at),
          ...(cause.reason !== undefined && { reason: cause.reason }),
          ...(kept.card && { personal: kept.card.sealed }),
        });
        return erasedHolderId === undefined ? recorded : withRemoval(now, recorded, at, erasedHolderId);
      },
      ...(personal && { personal }),
    };
  }

  /** There is no money in a check. */
  newlyBrokenLimits(): readonly string[] {
    return [];
  }

  async writeReadModels(loaded: LoadedToken): Promise<void> {
    await writeThroughToken(this.parts.readModels, loaded);
  }

  private async keep(token: Token, answer: DefiniteResponse): Promise<StorableResponse> {
    if (answer.kind !== 'Approved') return { answer };
    const { credential, ...approval } = answer;
    // An approval that brings no card: no token came.
    if (!credential || !isStorableCard(credential)) return { answer: withoutCard(approval) };
    return { answer: approval, card: await this.keepCard(token, credential) };
  }

  private async keepCard({ id }: Token, credential: CardCredential): Promise<VaultedCard> {
    const { vault } = this.parts;
    const personal = { cardExpDate: credential.expDate };
    await vault.storeCard(id, encodeVaultCard(credential));
    return { personal, sealed: await sealPersonal(vault, id, personal) };
  }

  /**
   * Looked up after the token's request is durable: an erasure that found nothing to remove came before it, so this
   * finds the holder erased; an erasure that comes after this finds the token.
   */
  private async erasedHolder({ accountHolderId }: Token): Promise<string | undefined> {
    const stream = accountHolderId === undefined ? undefined : streamOfHolder(accountHolderId);
    if (!stream) return undefined;
    const { state } = await this.parts.holders.load(stream);
    return state.status === 'Erased' ? accountHolderId : undefined;
  }
}

/** In one append: a token of a person who is forgotten is never there to be used. */
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

function withoutCard({ facts }: Extract<AttemptResponse, { kind: 'Approved' }>): AttemptResponse {
  return { kind: 'Declined', facts: { ...facts, responseCode: ResponseCode.Unknown } };
}

function requested(state: TokenState): Token {
  if (state.status === 'None') throw new Error('the token was never requested');
  return state;
}

function operationIn(token: Token, operationId: OperationId): TokenOperation {
  const operation = findTokenOperation(token, operationId);
  if (!operation) throw new Error(`operation ${operationId} is not in its stream`);
  return operation;
}
