import {
  accepted,
  findTokenOperation,
  foldToken,
  interruptVerification,
  recordVerification,
  removeToken,
  ResponseCode,
  streamOfHolder,
  verificationNotSent,
  type Encrypted,
  type Merchant,
  type OperationId,
  type OutcomeSource,
  type Token,
  type TokenDecision,
  type TokenEvent,
  type TokenPersonal,
  type TokenState,
  type TryAnswer,
} from '@tillstream/domain';
import type { Answer, CardCredential, DefiniteAnswer, Processor } from '@tillstream/processors';
import { VaultError, type Vault } from '@tillstream/vault';
import { iso, type Clock } from './clock.port.js';
import type { CrashPoints } from './crash-points.port.js';
import { callOf, depart, type Departure } from './departure.js';
import type { Cause } from './event-metadata.js';
import { newCommandId } from './identities.js';
import type { HolderJournal, LoadedToken, TokenJournal, WrittenToken } from './journals.js';
import type { PaymentsLog } from './log.port.js';
import type { OutcomeRetries } from './outcome.retries.js';
import { verificationReceiptLines } from './receipt.js';
import { sealPersonal } from './sealed.personal.js';
import type { Timings } from './timings.js';

/** Facts already received are decided anew as often as others are faster. */
const UNTIL_WRITTEN = Number.POSITIVE_INFINITY;

export interface VerifyingParts {
  readonly tokens: TokenJournal;
  readonly holders: HolderJournal;
  readonly vault: Vault;
  readonly processor: Processor;
  readonly clock: Clock;
  readonly timings: Timings;
  readonly crashPoints: CrashPoints;
  readonly log: PaymentsLog;
  readonly outcomes: OutcomeRetries;
  onLateVerification(operationId: OperationId, number: number, answer: DefiniteAnswer): void;
}

/** An answer as it may be written down: without the card, which is in the vault by then. */
type Kept =
  | { readonly kind: 'Told'; readonly answer: TryAnswer; readonly card?: KeptCard }
  | Extract<Answer, { kind: 'NotSent' | 'NoAnswer' }>;

interface KeptCard {
  readonly personal: TokenPersonal;
  readonly sealed: Encrypted;
}

export interface Verified {
  /** As it was last known; its operation says how it ended. */
  readonly token: LoadedToken;
  /** Of the card that was kept just now. */
  readonly personal?: TokenPersonal;
}

/**
 * The check of a card that is to be stored, by the payment protocol: call, append what came of it, and only then say so.
 * A card is in the vault before its token is.
 */
export class Verifying {
  constructor(private readonly parts: VerifyingParts) {}

  depart(deadline?: number): Departure {
    return depart(this.parts, deadline);
  }

  /** Sends the check, which is durable. */
  async send(
    merchant: Merchant,
    known: LoadedToken,
    operationId: OperationId,
    cause: Cause,
    startedAt: number,
  ): Promise<Verified> {
    const { crashPoints, outcomes, log } = this.parts;
    const { token, number } = inHand(known.state, operationId);
    crashPoints.reached('before-send');
    const answer = await this.call(token, operationId, startedAt);
    crashPoints.reached('after-answer');
    const kept = await this.keep(token, answer).catch((error: unknown) => {
      if (!(error instanceof VaultError)) throw error;
      // Not known yet, to whoever asks: the resolver hears it again, card and all, and finishes.
      log.error('card-not-kept', { operationId, reason: error.code });
      return { kind: 'NoAnswer' } as const;
    });
    crashPoints.reached('before-outcome');
    const written = await outcomes.nowOrLater(operationId, () =>
      this.write(merchant, known, operationId, number, kept, 'Answer', cause),
    );
    if (written?.kind !== 'Written') return { token: known };
    crashPoints.reached('after-outcome');
    const personal = kept.kind === 'Told' ? kept.card?.personal : undefined;
    return { token: written.loaded, ...(personal && { personal }) };
  }

  /** Keeps and appends what was learned of a check, wherever it was learned. @throws VaultError: nothing was appended. */
  async record(
    merchant: Merchant,
    known: LoadedToken,
    operationId: OperationId,
    number: number,
    answer: DefiniteAnswer,
    source: OutcomeSource,
    cause: Cause,
  ): Promise<WrittenToken> {
    const { token } = inHand(known.state, operationId);
    const kept = await this.keep(token, answer);
    return this.write(merchant, known, operationId, number, kept, source, cause);
  }

  private async keep(token: Token, answer: Answer): Promise<Kept> {
    if (answer.kind === 'NotSent' || answer.kind === 'NoAnswer') return answer;
    if (answer.kind !== 'Approved') return { kind: 'Told', answer };
    const { credential, ...approval } = answer;
    // An approval that brings no card: no token came.
    if (!credential) return { kind: 'Told', answer: withoutCard(approval) };
    return { kind: 'Told', answer: approval, card: await this.keepCard(token, credential) };
  }

  private async keepCard({ id }: Token, { number, expDate }: CardCredential): Promise<KeptCard> {
    const { vault } = this.parts;
    const personal = { cardExpDate: expDate };
    await vault.keepCard(id, number);
    return { personal, sealed: await sealPersonal(vault, id, personal) };
  }

  private async write(
    merchant: Merchant,
    known: LoadedToken,
    operationId: OperationId,
    number: number,
    kept: Kept,
    source: OutcomeSource,
    cause: Cause,
  ): Promise<WrittenToken> {
    const { tokens, processor, clock } = this.parts;
    const { token } = inHand(known.state, operationId);
    const at = iso(clock.now());
    const ofTry = { at, operationId, try: number };
    const erasedHolderId = kept.kind === 'Told' && kept.card ? await this.erasedHolder(token) : undefined;
    const decide = (state: TokenState): TokenDecision => {
      if (kept.kind === 'NotSent') return verificationNotSent(state, { ...ofTry, reason: kept.reason });
      if (kept.kind === 'NoAnswer') {
        const lostLink = kept.lostLink ?? false;
        return interruptVerification(state, { ...ofTry, cause: 'NoAnswer', lostLink });
      }
      const { answer, card } = kept;
      const recorded = recordVerification(state, {
        ...ofTry,
        source,
        answer,
        processor: processor.name,
        processorAccount: processor.account,
        receiptLines: verificationReceiptLines(merchant, token, answer, at),
        ...(cause.reason !== undefined && { reason: cause.reason }),
        ...(card && { personal: card.sealed }),
      });
      return erasedHolderId === undefined ? recorded : andRemoved(state, recorded, at, erasedHolderId);
    };
    return tokens.write(known.stream, cause, decide, { known, attempts: UNTIL_WRITTEN });
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

  private async call(token: Token, operationId: OperationId, startedAt: number): Promise<Answer> {
    const { processor, onLateVerification } = this.parts;
    const lastTry = findTokenOperation(token, operationId)?.try;
    if (!lastTry) return { kind: 'NotSent', reason: 'the operation has no try' };
    const { merchantId, channel, currency, terminalId } = token;
    const request = { merchantId, channel, currency, ...(terminalId !== undefined && { terminalId }) };
    const call = callOf(this.parts, operationId, lastTry, startedAt, (answer) =>
      onLateVerification(operationId, lastTry.number, answer),
    );
    return processor.verify(request, call);
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

function withoutCard({ facts }: Extract<TryAnswer, { kind: 'Approved' }>): TryAnswer {
  return { kind: 'Declined', facts: { ...facts, responseCode: ResponseCode.Unknown } };
}

function inHand(
  state: TokenState,
  operationId: OperationId,
): { readonly token: Token; readonly number: number } {
  const operation = findTokenOperation(state, operationId);
  if (state.status === 'None' || !operation) throw new Error(`operation ${operationId} is not in its stream`);
  return { token: state, number: operation.try?.number ?? 0 };
}
