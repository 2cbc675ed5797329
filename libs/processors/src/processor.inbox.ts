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

/** As in the stored notice, with the bank's data of an account in clear: they are stored encrypted. */
export type ProcessorNoticeContent =
  | Exclude<NoticeContent, { readonly kind: 'NoticeOfChange' }>
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
 * cases, and `stop` before their end.
 */
export interface ProcessorNoticeSource {
  /** From now on delivers each notice to `inbox`. Never throws, and does not keep the process alive. */
  listen(inbox: ProcessorInbox): void;
  /** Resolves when no further notice is delivered. May be called without `listen`. */
  stop(): Promise<void>;
}

/** For a processor without notices. */
export const noNoticeSource: ProcessorNoticeSource = {
  listen: () => undefined,
  stop: () => Promise.resolve(),
};
