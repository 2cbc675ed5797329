import type { AcquirerRequest, Reaction, Sandbox } from '@tillstream/sandbox';
import { mayStillSend, type AttemptCall } from '../processor.port.js';

/** `TooLate`: its `sendBefore` had passed, so it was not sent. */
export type SendReaction = Reaction | { readonly kind: 'TooLate' };

interface QueuedSend {
  readonly request: AcquirerRequest;
  readonly call: AttemptCall;
  resolve(sent: SendReaction): void;
  reject(error: unknown): void;
}

/** So many share a transaction at most: the event loop stands still for it. */
const SENDS_PER_TRANSACTION_MAX = 50;

/**
 * Requests of one turn of the event loop reach the acquirer in one transaction of its ledger. The clocks are looked at
 * while that transaction holds the file's lock, right before each request.
 */
export class SandboxBatchSender {
  private waiting: QueuedSend[] = [];

  constructor(
    private readonly acquirer: Pick<Sandbox['acquirer'], 'execute' | 'runTogether'>,
    private readonly now: () => { readonly realMs: number; readonly monotonicMs: number },
  ) {}

  /** @throws what `Acquirer.execute` throws. */
  send(request: AcquirerRequest, call: AttemptCall): Promise<SendReaction> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ request, call, resolve, reject });
      if (this.waiting.length === 1) setImmediate(() => this.flush());
    });
  }

  private flush(): void {
    const together = this.waiting.splice(0, SENDS_PER_TRANSACTION_MAX);
    if (this.waiting.length > 0) setImmediate(() => this.flush());
    const results = this.acquirer.runTogether(together.map((one) => () => this.executed(one)));
    for (const [place, result] of results.entries()) {
      if (result.status === 'fulfilled') together[place]?.resolve(result.value);
      else together[place]?.reject(result.reason);
    }
  }

  private executed({ request, call }: QueuedSend): SendReaction {
    return mayStillSend(call, this.now()) ? this.acquirer.execute(request) : { kind: 'TooLate' };
  }
}
