import type { NoticeContent } from '@tillstream/domain';

/**
 * A message that a processor, a bank or a 3-D Secure server sends without being asked. It may come any number of times and
 * in any order, also before the response to its attempt.
 */
export interface ProcessorNotice {
  /**
   * The sender's id of the message, 1 to 200 characters. A repeated message has the same id. The same id with another
   * content is another notice.
   */
  readonly id: string;
  /** The key of its attempt, `<trx id>.<try>`. */
  readonly key: string;
  readonly content: ProcessorNoticeContent;
}

/** As it is stored, but for the corrected data of a bank account: the service stores them encrypted. */
export type ProcessorNoticeContent =
  | Exclude<NoticeContent, { kind: 'NoticeOfChange' }>
  | {
      readonly kind: 'NoticeOfChange';
      readonly code: string;
      readonly corrected: Readonly<Record<string, string>>;
    };

/** An adapter delivers the notices of its processor here. */
export interface ProcessorInbox {
  /**
   * Resolves when the notice is durable; only then may the adapter acknowledge it. A notice that was stored before
   * resolves too. `Unknown`: `processor` was never given an attempt with this key; the adapter acknowledges the notice and
   * reports it to an operator. Rejects if the notice could not be stored: the adapter does not acknowledge it, so that the
   * sender sends it again.
   */
  receive(processor: string, notice: ProcessorNotice): Promise<'Stored' | 'Unknown'>;
}

/**
 * The notices of a processor: from a poll, a file or a stream. The service calls `listen` once, after the start of the use
 * cases, and `stop` before their end. Each process of the service has a source of its own.
 */
export interface ProcessorNoticeSource {
  /** From now on delivers each notice to `inbox`. Never throws, and does not keep the process alive. */
  listen(inbox: ProcessorInbox): void;
  /**
   * Delivers now what is due, and resolves with the count of notices that this process delivered meanwhile. 0 before
   * `listen`, and if the processor can't be reached.
   */
  deliverDue(): Promise<number>;
  /** Notices that are due and that no process has acknowledged. 0 if the processor can't be reached. */
  countDue(): Promise<number>;
  /** Resolves when no further notice is delivered. May be called without `listen`. */
  stop(): Promise<void>;
}

/** For a processor without notices. */
export const noNoticeSource: ProcessorNoticeSource = {
  listen: () => undefined,
  deliverDue: () => Promise.resolve(0),
  countDue: () => Promise.resolve(0),
  stop: () => Promise.resolve(),
};
