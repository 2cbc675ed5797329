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
import { newCommandId } from '../identities.js';
import { isKeepable, keptOf } from '../kept.card.js';
import type { HolderJournal, LoadedToken, TokenJournal } from '../journals.js';
import type { ReadModelWriter } from '../read-model.port.js';
import { verificationReceiptLines } from '../receipt.js';
import { sealPersonal } from '../sealed.personal.js';
import { tellOfToken } from '../telling.js';
import type { AttemptSender } from './attempt.sender.js';
import type { Attempted, Recorder, Recording } from './attempted.js';
import { accountOf } from './processor.requests.js';

export type VerificationSender = AttemptSender<TokenState, TokenEvent, TokenRejection>;

export interface VerificationAttemptsParts {
  readonly tokens: TokenJournal;
  readonly holders: HolderJournal;
  readonly vault: Vault;
  readonly readModels: ReadModelWriter;
}

/** An answer as it may be written down: without the card, which is in the vault by then. */
interface Kept {
  readonly answer: AttemptResponse;
  readonly card?: KeptCard;
}

interface KeptCard {
  readonly personal: TokenPersonal;
  readonly sealed: Encrypted;
}

/** The check of a card that is to be stored. A card is in the vault before its token is. */
export class VerificationAttempts implements Attempted<TokenState, TokenEvent, TokenRejection> {
  readonly journal: TokenJournal;
  readonly steps = {
    interrupt: interruptVerification,
    notSent: recordVerificationNotSent,
    closeNotExecuted: closeVerificationNotExecuted,
    resend: resendVerification,
  };
  readonly requested = 'VerificationRequested';

  constructor(private readonly parts: VerificationAttemptsParts) {
    this.journal = parts.tokens;
  }

  streamOf(operationId: OperationId): string | undefined {
    return streamOfTokenOperation(operationId);
  }

  find(state: TokenState, operationId: OperationId): TokenOperation | undefined {
    return findTokenOperation(state, operationId);
  }

  placeOf(state: TokenState): Pick<Token, 'merchantId' | 'channel' | 'terminalId'> {
    return requested(state);
  }

  /** Its customer is not at the terminal any more. */
  mayResend(): boolean {
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
    const account = accountOf(operationIn(token, operationId));
    const terminal = terminalId !== undefined && { terminalId };
    return processor.verify({ merchantId, account, channel, currency, ...terminal }, call);
  }

  async recorder(
    { state }: LoadedToken,
    { merchant, operationId, number, answer, source, cause }: Recording,
  ): Promise<Recorder<TokenState, TokenEvent, TokenRejection>> {
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
        return erasedHolderId === undefined ? recorded : andRemoved(now, recorded, at, erasedHolderId);
      },
      ...(personal && { personal }),
    };
  }

  /** There is no money in a check. */
  limitsBroken(): readonly string[] {
    return [];
  }

  async recorded(loaded: LoadedToken): Promise<void> {
    await tellOfToken(this.parts.readModels, loaded);
  }

  private async keep(token: Token, answer: DefiniteResponse): Promise<Kept> {
    if (answer.kind !== 'Approved') return { answer };
    const { credential, ...approval } = answer;
    // An approval that brings no card: no token came.
    if (!credential || !isKeepable(credential)) return { answer: withoutCard(approval) };
    return { answer: approval, card: await this.keepCard(token, credential) };
  }

  private async keepCard({ id }: Token, credential: CardCredential): Promise<KeptCard> {
    const { vault } = this.parts;
    const personal = { cardExpDate: credential.expDate };
    await vault.storeCard(id, keptOf(credential));
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
function andRemoved(
  state: TokenState,
  recorded: TokenDecision,
  at: string,
  erasedHolderId: string,
): TokenDecision {
  if (recorded.kind === 'Refused') return recorded;
  const events: readonly TokenEvent[] = recorded.events;
  const removed = removeToken(foldToken(events, state), { at, commandId: newCommandId(), erasedHolderId });
  return removed.kind === 'Refused' ? recorded : accepted([...events, ...removed.events], recorded.value);
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
