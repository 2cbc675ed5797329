import type { AcquirerRequest, Reaction, Sandbox } from '@tillstream/sandbox';
import { mayStillSend, type AttemptCall, type SendClocks } from '../processor.port.js';

/** `TooLate`: the send window was over, so the request was not sent. */
export type SendReaction = Reaction | { readonly kind: 'TooLate' };

interface QueuedSend {
  readonly request: AcquirerRequest;
  readonly call: AttemptCall;
  resolve(reaction: SendReaction): void;
  reject(error: unknown): void;
}

/** Bounds the time for which a transaction blocks the event loop. */
const SENDS_PER_TRANSACTION_MAX = 50;

/**
 * Sends the requests of one turn of the event loop in one transaction of the acquirer's ledger. Reads the clocks inside the
 * transaction, right before each request.
 */
export class SandboxBatchSender {
  private waiting: QueuedSend[] = [];

  constructor(
    private readonly acquirer: Pick<Sandbox['acquirer'], 'execute' | 'runTogether'>,
    private readonly now: SendClocks,
  ) {}

  /** Rejects with the errors of `Acquirer.execute`. */
  send(request: AcquirerRequest, call: AttemptCall): Promise<SendReaction> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ request, call, resolve, reject });
      if (this.waiting.length === 1) setImmediate(() => this.flush());
    });
  }

  private flush(): void {
    const sends = this.waiting.splice(0, SENDS_PER_TRANSACTION_MAX);
    if (this.waiting.length > 0) setImmediate(() => this.flush());
    const executions = sends.map(
      ({ request, call }) =>
        (): SendReaction =>
          mayStillSend(call, this.now()) ? this.acquirer.execute(request) : { kind: 'TooLate' },
    );
    const results = this.acquirer.runTogether(executions);
    for (const [index, result] of results.entries()) {
      if (result.status === 'fulfilled') sends[index]?.resolve(result.value);
      else sends[index]?.reject(result.reason);
    }
  }
}
