import type { OperationId } from '@tillstream/domain';
import { EventStoreError } from '@tillstream/event-store';
import type { Clock } from '../ports/clock.port.js';
import type { PaymentsLog } from '../ports/log.port.js';
import type { Timings } from '../timings.js';

const RETRY_MS = 500;
/** Outcomes above this limit are not retried: the resolver finds them by inquiry. */
const PENDING_WRITES_MAX = 1_000;

/** Repeats appends of outcomes that the store refused. */
export class OutcomeRetries {
  private pending = 0;

  constructor(
    private readonly clock: Clock,
    private readonly timings: Timings,
    private readonly log: PaymentsLog,
  ) {}

  /** Undefined: the append failed, and is retried in the background for `terminalDeadline`. */
  async writeOrRetry<Written>(
    operationId: OperationId,
    write: () => Promise<Written>,
  ): Promise<Written | undefined> {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof EventStoreError)) throw error;
      this.log.error('outcome-not-written', { operationId, reason: error.code });
      void this.retry(write);
      return undefined;
    }
  }

  private async retry(write: () => Promise<unknown>): Promise<void> {
    if (this.pending >= PENDING_WRITES_MAX) return;
    this.pending++;
    const retryUntil = this.clock.monotonicNow() + this.timings.terminalDeadline;
    while (this.clock.monotonicNow() < retryUntil) {
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref());
      const written = await write().catch(() => undefined);
      if (written) break;
    }
    this.pending--;
  }
}
