import type { Cents, ThreeDsFacts, AttemptResponse } from '@tillstream/domain';

/**
 * What a processor, a bank or a 3-D Secure server says later and on its own. It may come any number of times and in any
 * order, also before the answer to the call that it is about.
 */
export interface ProcessorNotice {
  /**
   * The sender's id of the message: the same message sent again has the same. 1 to 200 characters. The same id with
   * another content is another notice.
   */
  readonly id: string;
  /** `<trx id>.<try>`: the key of the attempt that it is about. */
  readonly key: string;
  readonly content: ProcessorNoticeContent;
}

export type ProcessorNoticeContent =
  /** The answer to an attempt: settled, approved or declined after a challenge, or late. Never with a card number. */
  | { readonly kind: 'Answered'; readonly answer: AttemptResponse }
  /** A bank took the money back. `code`: R01 …; `returnId`: the bank's own. */
  | {
      readonly kind: 'Returned';
      readonly returnId: string;
      readonly code: string;
      readonly reason: string;
      readonly amount: Cents;
    }
  /** `code`: C01 …; `corrected`: the account's data as the bank has it, kept encrypted. */
  | {
      readonly kind: 'NoticeOfChange';
      readonly code: string;
      readonly corrected: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: 'ChargedBack';
      readonly chargebackId: string;
      readonly reason: string;
      readonly amount: Cents;
      readonly reference?: string;
    }
  /** The cardholder is done with a challenge; the processor's answer to the attempt follows, or is inquired. */
  | { readonly kind: 'ChallengeDone'; readonly challengeId: string; readonly threeDs: ThreeDsFacts };

/** Where an adapter hands in what its processor says on its own. */
export interface ProcessorInbox {
  /**
   * Resolves once the notice is durable, and only then may it be acknowledged to its sender; a notice that was stored
   * before resolves too. `Unknown`: its key is of no attempt that `processor` was given, and never will be; the adapter
   * acknowledges it too, and reports it to an operator. Rejects where the notice could not be stored: the adapter does
   * not acknowledge it, so that its sender sends it again.
   */
  receive(processor: string, notice: ProcessorNotice): Promise<'Stored' | 'Unknown'>;
}

/**
 * What a processor says on its own, as its adapter hears it: from a poll, a file or a stream. The service calls `listen`
 * once, when the use cases are there, and `stop` before it stops them.
 */
export interface ProcessorNoticeSource {
  /** From now on each notice goes to `inbox`. Never throws, and keeps no process awake. */
  listen(inbox: ProcessorInbox): void;
  /** Resolves once nothing is handed in any more. Also called where `listen` never was. */
  stop(): Promise<void>;
}

/** Of a processor that says nothing on its own. */
export const noNoticeSource: ProcessorNoticeSource = {
  listen: () => undefined,
  stop: () => Promise.resolve(),
};
