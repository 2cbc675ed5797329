import type { BankMessage, DeliveredMessages, Sandbox } from '@tillstream/sandbox';
import { NoticePoller } from '../notice.poller.js';
import type { ProcessorNotice } from '../processor.inbox.js';
import { toDefiniteResponse } from './sandbox-response.mapping.js';

/** The messages of the simulated bank, in this process or over a network. Rejects if the bank can't be reached. */
export interface BankMessages {
  /** Some of the messages that are due. No other process gets them for a while. */
  claim(): Promise<readonly BankMessage[]>;
  settle(delivered: DeliveredMessages): Promise<void>;
  countDue(): Promise<number>;
}

/** Bounds the time for which a transaction of the ledger blocks the event loop. */
const MESSAGES_PER_CLAIM_MAX = 200;

/** Of a sandbox in this process. */
export function embeddedBankMessages({ bank }: Pick<Sandbox, 'bank'>): BankMessages {
  return {
    claim: async () => bank.claimMessages(MESSAGES_PER_CLAIM_MAX),
    settle: async (delivered) => bank.settleMessages(delivered),
    countDue: async () => bank.countDueMessages(),
  };
}

export interface BankNoticesOptions {
  /** The processor's name. */
  readonly processor: string;
  readonly everyMs: number;
  /** Logs one line for an operator. */
  report(reason: string): void;
}

/** The notices of a sandbox: the messages of its bank. */
export function bankNotices(bank: BankMessages, options: BankNoticesOptions): NoticePoller {
  return new NoticePoller({
    ...options,
    fetch: async () => (await bank.claim()).map(toNotice),
    settle: (delivered) => bank.settle(delivered),
    countDue: () => bank.countDue(),
  });
}

function toNotice({ id, key, content }: BankMessage): ProcessorNotice {
  return content.kind === 'Answered'
    ? { id, key, content: { kind: 'Answered', answer: toDefiniteResponse(content) } }
    : { id, key, content };
}
