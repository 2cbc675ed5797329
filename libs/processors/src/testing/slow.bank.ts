import { ResponseCode } from '@tillstream/domain';
import { NoticePoller } from '../notice.poller.js';
import type { ProcessorNotice, ProcessorNoticeSource } from '../processor.inbox.js';
import {
  mayStillSend,
  systemClocks,
  type ProcessorResponse,
  type AttemptCall,
  type DefiniteResponse,
  type Inquiry,
  type PaymentRequest,
  type Processor,
} from '../processor.port.js';
import { attemptCall } from './attempt-call.js';

/** Sales of these amounts get their final response later; all other operations get it at once. */
export const SUBMITTED_AMOUNT = 930_001;
export const CHALLENGED_AMOUNT = 930_002;

interface Held {
  readonly request: PaymentRequest;
  answer: DefiniteResponse;
}

/**
 * A bank behind a processor that answers some sales later: by a notice and to inquiries. It keeps its sales when its
 * adapter is made again.
 */
export class SlowBank {
  /** If true, further notices are lost. */
  losesNotices = false;
  private readonly held = new Map<string, Held>();
  private readonly annulled = new Set<string>();
  private readonly waiting = new Map<string, ProcessorNotice>();
  private behind: Processor | undefined;
  private lastNotice = 0;

  /** Makes an adapter that passes all other operations to `behind`. */
  wrap(behind: Processor): Processor {
    this.behind = behind;
    const current = (key: string, account: string): DefiniteResponse | undefined => {
      const held = this.held.get(key);
      return held?.request.account === account ? held.answer : undefined;
    };
    const found = async (query: Inquiry, ask: () => ReturnType<Processor['inquire']>) => {
      const answer = current(query.key, query.account);
      return answer ? ({ kind: 'Found', answer } as const) : ask();
    };
    const own: Pick<Processor, 'sale' | 'inquire' | 'annul' | 'lastTransaction'> = {
      sale: async (request, call) => this.hold(request, call) ?? behind.sale(request, call),
      inquire: (query) => found(query, () => behind.inquire(query)),
      lastTransaction: (terminalId, query) =>
        this.held.get(query.key)?.request.terminalId === terminalId
          ? found(query, () => behind.inquire(query))
          : behind.lastTransaction(terminalId, query),
      annul: async (query) => {
        const answer = current(query.key, query.account);
        if (answer) return { kind: 'AlreadyExecuted', answer };
        const annulled = await behind.annul(query);
        if (annulled.kind === 'Annulled') this.annulled.add(query.key);
        return annulled;
      },
    };
    return Object.assign(Object.create(behind) as Processor, own);
  }

  /** Sets the final response of a held sale. An approval is executed now. */
  async settle(key: string, outcome: 'Approved' | 'Declined'): Promise<void> {
    const held = this.held.get(key);
    if (!held || !this.behind) throw new Error(`the bank does not hold ${key}`);
    const answer =
      outcome === 'Declined' ? declinedResponse : await this.behind.sale(held.request, attemptCall(key));
    if (answer.kind === 'NotSent' || answer.kind === 'NoAnswer') throw new Error(`settled as ${answer.kind}`);
    held.answer = answer;
    if (this.losesNotices) return;
    const id = `ntc-${++this.lastNotice}`;
    this.waiting.set(id, { id, key, content: { kind: 'Answered', answer } });
  }

  /** @param processor the processor's name */
  notices(processor: string, everyMs = 10): ProcessorNoticeSource {
    return new NoticePoller({
      processor,
      everyMs,
      fetch: async () => [...this.waiting.values()],
      settle: async ({ acknowledged }) => acknowledged.forEach((id) => this.waiting.delete(id)),
      countDue: async () => this.waiting.size,
      report: () => undefined,
    });
  }

  get unacknowledged(): number {
    return this.waiting.size;
  }

  private hold(request: PaymentRequest, call: AttemptCall): ProcessorResponse | undefined {
    const known = this.held.get(call.key);
    if (known) return known.answer;
    const answer = firstResponses[request.amount]?.(call.key);
    if (!answer || this.annulled.has(call.key)) return undefined;
    if (!mayStillSend(call, systemClocks())) {
      return { kind: 'NotSent', reason: 'sendBefore has passed' };
    }
    this.held.set(call.key, { request, answer });
    call.onSent?.();
    return answer;
  }
}

const HOUR_MS = 3_600_000;

const declinedResponse: DefiniteResponse = {
  kind: 'Declined',
  facts: { responseCode: ResponseCode.InsufficientFunds, hostCode: '51' },
};

const firstResponses: Readonly<Record<number, (key: string) => DefiniteResponse>> = {
  [SUBMITTED_AMOUNT]: () => ({
    kind: 'Submitted',
    facts: { responseCode: ResponseCode.Pending, hostCode: '09' },
  }),
  [CHALLENGED_AMOUNT]: (key) => ({
    kind: 'ChallengeRequired',
    challengeId: `ch_${key}`,
    redirectUrl: `https://bank.example/challenges/${encodeURIComponent(key)}`,
    expiresAt: new Date(Date.now() + HOUR_MS).toISOString(),
    facts: { responseCode: ResponseCode.VerificationRequired, hostCode: '65' },
  }),
};
