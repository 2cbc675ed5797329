import type { OperationId } from '@tillstream/domain';
import { EventStoreError } from '@tillstream/event-store';
import type { Ports } from '../parts.js';

const RETRY_MS = 500;
/** Outcomes above this limit are not retried: the resolver finds them by inquiry. */
const PENDING_WRITES_MAX = 1_000;

/** Repeats appends of outcomes that the store refused. */
export class OutcomeRetries {
  private pending = 0;

  constructor(private readonly ports: Pick<Ports, 'clock' | 'timings' | 'log'>) {}

  /** Undefined: the append failed, and is retried in the background for `terminalDeadline`. */
  async writeOrRetry<Written>(
    operationId: OperationId,
    write: () => Promise<Written>,
  ): Promise<Written | undefined> {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof EventStoreError)) throw error;
      this.ports.log.error('outcome-not-written', { operationId, reason: error.code });
      void this.retry(write);
      return undefined;
    }
  }

  private async retry(write: () => Promise<unknown>): Promise<void> {
    if (this.pending >= PENDING_WRITES_MAX) return;
    this.pending++;
    const { clock, timings } = this.ports;
    const retryUntil = clock.monotonicNow() + timings.terminalDeadline;
    while (clock.monotonicNow() < retryUntil) {
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref());
      const written = await write().catch(() => undefined);
      if (written) break;
    }
    this.pending--;
  }
}
