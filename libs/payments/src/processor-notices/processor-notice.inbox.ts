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
  /** The owner of the vault key that seals the notice's personal data. */
  readonly subject: string;
}

/** A received fact is appended after every conflict, however many there are. */
const UNTIL_WRITTEN = Number.POSITIVE_INFINITY;

/** Stores each notice in its own stream. The stream's name follows from the content, so a repeat finds the notice. */
export class StreamProcessorInbox implements ProcessorInbox {
  constructor(private readonly parts: ProcessorInboxParts) {}

  async receive(processor: string, notice: ProcessorNotice): Promise<'Stored' | 'Unknown'> {
    const { notices, clock } = this.parts;
    const id = noticeIdFor(processor, notice);
    const stream = streamOfNotice(id);
    const known = await notices.load(stream);
    if (known.state.status !== 'None') return 'Stored';
    const target = await this.findTarget(processor, notice.key);
    if (!target) return 'Unknown';
    const { merchantId, operationId, try: number, subject } = target;
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
    await notices.transact(stream, cause, decide, { known, decisionsMax: UNTIL_WRITTEN });
    return 'Stored';
  }

  /** Undefined: this processor has no attempt with this key. A notice about another processor's attempt is refused. */
  private async findTarget(processor: string, key: string): Promise<NoticeTarget | undefined> {
    const dot = key.lastIndexOf('.');
    const operationId = key.slice(0, dot) as OperationId;
    const number = Number(key.slice(dot + 1));
    const category = parseOperationId(operationId)?.category;
    if (dot < 0 || category === undefined || !/^[1-9]\d{0,8}$/.test(key.slice(dot + 1))) return undefined;
    return category === 'token'
      ? this.findTokenTarget(processor, operationId, number)
      : this.findPaymentTarget(processor, operationId, number);
  }

  private async findPaymentTarget(
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

  private async findTokenTarget(
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

  /** The content as it is stored: personal data sealed, no card number. */
  private async storedContent(content: ProcessorNoticeContent, subject: string): Promise<NoticeContent> {
    if (content.kind === 'Answered') return { kind: content.kind, answer: withoutCredential(content.answer) };
    if (content.kind !== 'NoticeOfChange') return content;
    const { kind, code } = content;
    try {
      const corrected = await this.parts.vault.seal(subject, JSON.stringify(content.corrected));
      return { kind, code, corrected };
    } catch (error) {
      if (!(error instanceof VaultError) || error.code !== 'Destroyed') throw error;
      // The account was removed. The notice is stored without the account's data.
      return { kind, code, corrected: { keyId: subject, iv: '', ciphertext: '' } };
    }
  }
}

/**
 * The same notice of the same processor always gives the same id. The content is part of the id: if a processor uses its
 * own id for two different notices, both are stored. Personal data is not part of the id.
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

/** An adapter may pass a `DefiniteResponse`, which contains a card number: its type is assignable. */
function withoutCredential(answer: AttemptResponse): AttemptResponse {
  if (answer.kind !== 'Approved') return answer;
  const { kind, amount, facts } = answer;
  return { kind, amount, facts };
}
