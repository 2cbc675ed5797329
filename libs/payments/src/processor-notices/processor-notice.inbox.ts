import { createHash } from 'node:crypto';
import {
  accountOfAttempt,
  findOperation,
  findTokenOperation,
  foldNotice,
  noticeCodec,
  parseOperationId,
  receiveNotice,
  streamOfNotice,
  streamOfOperation,
  streamOfTokenOperation,
  type NoticeContent,
  type NoticeDecision,
  type NoticeEvent,
  type NoticeId,
  type NoticeState,
  type OperationId,
  type AttemptResponse,
} from '@tillstream/domain';
import type { EventStore } from '@tillstream/event-store';
import type { ProcessorInbox, ProcessorNotice, ProcessorNoticeContent } from '@tillstream/processors';
import { VaultError, type Vault } from '@tillstream/vault';
import { iso, type Clock } from '../ports/clock.port.js';
import { serviceActor } from '../stream-repository/event-metadata.js';
import { StreamRepository } from '../stream-repository/stream-repository.js';
import type { PaymentRepository, TokenRepository } from '../stream-repository/stream-repositories.js';

export type NoticeRepository = StreamRepository<NoticeState, NoticeEvent, never>;

export function createNoticeRepository(store: EventStore, clock: Clock): NoticeRepository {
  return new StreamRepository(store, clock, { codec: noticeCodec, fold: foldNotice });
}

export interface ProcessorInboxParts {
  readonly notices: NoticeRepository;
  readonly payments: PaymentRepository;
  readonly tokens: TokenRepository;
  readonly vault: Vault;
  readonly clock: Clock;
}

/** The attempt that a notice is about. */
interface NoticeTarget {
  readonly merchantId: string;
  readonly operationId: OperationId;
  readonly try: number;
  /** Under whose key personal data of the notice is sealed. */
  readonly subject: string;
}

/** A fact from outside is written until the store has it, or says that it can't take it. */
const UNTIL_WRITTEN = Number.POSITIVE_INFINITY;

/** Stores each notice in a stream of its own, named by what it says: a repeat finds it there. */
export class StreamProcessorInbox implements ProcessorInbox {
  constructor(private readonly parts: ProcessorInboxParts) {}

  async receive(processor: string, notice: ProcessorNotice): Promise<'Stored' | 'Unknown'> {
    const { notices, clock } = this.parts;
    const id = noticeIdFor(processor, notice);
    const stream = streamOfNotice(id);
    const known = await notices.load(stream);
    if (known.state.status !== 'None') return 'Stored';
    const about = await this.attemptOf(processor, notice.key);
    if (!about) return 'Unknown';
    const { merchantId, operationId, try: number, subject } = about;
    const received = {
      at: iso(clock.now()),
      id,
      processor,
      noticeId: notice.id,
      merchantId,
      operationId,
      try: number,
      content: await this.storedContent(notice.content, subject),
    };
    const cause = { merchantId, actor: serviceActor, causationId: id };
    const decide = (state: NoticeState): NoticeDecision => receiveNotice(state, received);
    await notices.transact(stream, cause, decide, { known, attempts: UNTIL_WRITTEN });
    return 'Stored';
  }

  /** Undefined: no attempt of this key went to this processor. What another one did is not its to say. */
  private async attemptOf(processor: string, key: string): Promise<NoticeTarget | undefined> {
    const dot = key.lastIndexOf('.');
    const operationId = key.slice(0, dot) as OperationId;
    const number = Number(key.slice(dot + 1));
    const category = parseOperationId(operationId)?.category;
    if (dot < 0 || category === undefined || !/^[1-9]\d{0,8}$/.test(key.slice(dot + 1))) return undefined;
    return category === 'token'
      ? this.attemptOfToken(processor, operationId, number)
      : this.attemptOfPayment(processor, operationId, number);
  }

  private async attemptOfPayment(
    processor: string,
    operationId: OperationId,
    number: number,
  ): Promise<NoticeTarget | undefined> {
    const { state } = await this.parts.payments.load(streamOfOperation(operationId) ?? '');
    const operation = findOperation(state, operationId);
    if (state.status === 'None' || !operation) return undefined;
    if (accountOfAttempt(operation, number)?.processor !== processor) return undefined;
    const { merchantId, paymentMethod, accountHolderId } = state;
    const holder = accountHolderId ?? operationId;
    const subject = paymentMethod.type === 'Token' ? paymentMethod.id : holder;
    return { merchantId, operationId, try: number, subject };
  }

  private async attemptOfToken(
    processor: string,
    operationId: OperationId,
    number: number,
  ): Promise<NoticeTarget | undefined> {
    const { state } = await this.parts.tokens.load(streamOfTokenOperation(operationId) ?? '');
    const attempt = findTokenOperation(state, operationId)?.attempt;
    if (state.status === 'None' || attempt?.processor !== processor || attempt.number !== number) {
      return undefined;
    }
    return { merchantId: state.merchantId, operationId, try: number, subject: state.id };
  }

  /** As events may have it: personal data sealed, and no card number. */
  private async storedContent(content: ProcessorNoticeContent, subject: string): Promise<NoticeContent> {
    if (content.kind === 'Answered') return { kind: content.kind, answer: withoutCredential(content.answer) };
    if (content.kind !== 'NoticeOfChange') return content;
    const { kind, code } = content;
    try {
      const corrected = await this.parts.vault.seal(subject, JSON.stringify(content.corrected));
      return { kind, code, corrected };
    } catch (error) {
      if (!(error instanceof VaultError) || error.code !== 'Destroyed') throw error;
      // The account was removed, so its data is not kept; that there was a notice is.
      return { kind, code, corrected: { keyId: subject, iv: '', ciphertext: '' } };
    }
  }
}

/**
 * The same message of the same processor always gives the same id. What it says is a part of the id: a processor that
 * uses an id of its own twice has told two facts, and the second one must not be lost. Personal data is no part of it.
 */
export function noticeIdFor(processor: string, { id, key, content }: ProcessorNotice): NoticeId {
  const facts = identifyingFacts(content);
  const name = createHash('sha256')
    .update(JSON.stringify([processor, id, key, facts]))
    .digest('hex');
  return `ntc_${name.slice(0, 32)}`;
}

function identifyingFacts(content: ProcessorNoticeContent): object {
  switch (content.kind) {
    case 'Answered':
      return { kind: content.kind, answer: withoutCredential(content.answer) };
    case 'NoticeOfChange':
      return { kind: content.kind, code: content.code };
    default:
      return content;
  }
}

/** An adapter may hand in a `DefiniteResponse`, which has the card to be stored: the types can't keep it out. */
function withoutCredential(answer: AttemptResponse): AttemptResponse {
  if (answer.kind !== 'Approved') return answer;
  const { kind, amount, facts } = answer;
  return { kind, amount, facts };
}
