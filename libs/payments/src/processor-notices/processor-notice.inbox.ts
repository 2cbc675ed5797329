import {
  accountOfAttempt,
  findTokenOperation,
  parseOperationId,
  receiveNotice,
  streamOfNotice,
  streamOfTokenOperation,
  type NoticeContent,
  type NoticeDecision,
  type NoticeId,
  type NoticeReceived,
  type NoticeState,
  type OperationId,
  type AttemptResponse,
} from '@tillstream/domain';
import type { ProcessorInbox, ProcessorNotice, ProcessorNoticeContent } from '@tillstream/processors';
import { EventStoreError } from '@tillstream/event-store';
import { VaultError } from '@tillstream/vault';
import { iso } from '../ports/clock.port.js';
import { serviceActor } from '../stream-repository/event-metadata.js';
import { UNTIL_WRITTEN } from '../stream-repository/repositories.js';
import type { Parts } from '../parts.js';
import { loadPaymentContext, type PaymentContext } from '../resolver/operation.context.js';
import { applyToPayment, type PaymentNotice } from './payment-notice.application.js';
import { sha256 } from '../identifiers.js';

/** The merchant of the attempt that a notice is about, and the owner of the vault key that seals its personal data. */
interface AttemptOwner {
  readonly merchantId: string;
  readonly subject: string;
  /** Absent of a card verification. */
  readonly payment?: PaymentContext;
}

interface NamedAttempt {
  readonly processor: string;
  readonly operationId: OperationId;
  readonly number: number;
}

/** `<operation id>.<number of the attempt>`, as `processorKey` makes it. */
const ATTEMPT_KEY = /^(.*)\.([1-9]\d{0,8})$/;

/**
 * Records a notice in its payment's stream, in one append: thousands of a bank's answers fall due together. What can't be
 * recorded there now is stored in a stream of its own, and the resolver applies it. That stream's name follows from the
 * content, so a repeat finds the notice.
 */
export class StreamProcessorInbox implements ProcessorInbox {
  constructor(private readonly parts: Parts) {}

  async receive(processor: string, notice: ProcessorNotice): Promise<'Stored' | 'Unknown'> {
    const [, key, number] = ATTEMPT_KEY.exec(notice.key) ?? [];
    const operationId = key as OperationId;
    const attempt = { processor, operationId, number: Number(number) };
    const owner = key === undefined ? undefined : await this.findOwner(attempt);
    if (!owner) return 'Unknown';
    const content = await this.storedContent(notice.content, owner.subject);
    const received = { operationId, try: attempt.number, noticeId: notice.id, content };
    if (owner.payment && (await this.isApplied(owner.payment, received))) return 'Stored';
    const id = noticeIdFor(processor, notice);
    await this.store({ ...received, id, processor, merchantId: owner.merchantId });
    return 'Stored';
  }

  /** False: the payment does not use the notice now. Rejects if the store failed: then the notice comes again. */
  private async isApplied(payment: PaymentContext, notice: PaymentNotice): Promise<boolean> {
    try {
      const result = await applyToPayment(this.parts, payment, notice);
      return result === 'Recorded' || result === 'Repeated';
    } catch (error) {
      if (error instanceof EventStoreError) throw error;
      // The resolver applies the stored notice, and reports why it can't. A notice that is applied twice counts once.
      return false;
    }
  }

  private async store(notice: Omit<NoticeReceived, 'at'> & { readonly id: NoticeId }): Promise<void> {
    const { notices, clock } = this.parts;
    const { id, merchantId } = notice;
    const received = { at: iso(clock.now()), ...notice };
    const cause = { merchantId, actor: serviceActor, causationId: id };
    const decide = (state: NoticeState): NoticeDecision => receiveNotice(state, received);
    await notices.transact(streamOfNotice(id), cause, decide, { decisionsMax: UNTIL_WRITTEN });
  }

  /** Undefined: this processor has no such attempt. A notice about another processor's attempt is refused. */
  private async findOwner(attempt: NamedAttempt): Promise<AttemptOwner | undefined> {
    const category = parseOperationId(attempt.operationId)?.category;
    if (category === undefined) return undefined;
    return category === 'token' ? this.findTokenOwner(attempt) : this.findPaymentOwner(attempt);
  }

  private async findPaymentOwner(named: NamedAttempt): Promise<AttemptOwner | undefined> {
    const { processor, operationId, number } = named;
    const found = await loadPaymentContext(this.parts, operationId);
    if (!found || accountOfAttempt(found.operation, number)?.processor !== processor) return undefined;
    const { merchantId, paymentMethod, accountHolderId } = found.payment;
    const subject = paymentMethod.type === 'Token' ? paymentMethod.id : (accountHolderId ?? operationId);
    return { merchantId, subject, payment: found };
  }

  private async findTokenOwner(named: NamedAttempt): Promise<AttemptOwner | undefined> {
    const { processor, operationId, number } = named;
    const { state } = await this.parts.tokens.load(streamOfTokenOperation(operationId) ?? '');
    const attempt = findTokenOperation(state, operationId)?.attempt;
    const isOwn = attempt?.processor === processor && attempt.number === number;
    return state.status !== 'None' && isOwn ? { merchantId: state.merchantId, subject: state.id } : undefined;
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
function noticeIdFor(processor: string, { id, key, content }: ProcessorNotice): NoticeId {
  return `ntc_${sha256(JSON.stringify([processor, id, key, identifyingFacts(content)])).slice(0, 32)}`;
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
