import type { OperationId } from '@tillstream/domain';
import { EventStoreError } from '@tillstream/event-store';
import type { Clock } from '../clock.port.js';
import type { PaymentsLog } from '../log.port.js';
import type { Timings } from '../timings.js';

const RETRY_MS = 500;
/** Beyond these the resolver finds the outcome by inquiry. */
const MAX_WAITING = 1_000;

/** Outcomes that the store would not take when they were heard. */
export class OutcomeRetries {
  private waiting = 0;

  constructor(
    private readonly clock: Clock,
    private readonly timings: Timings,
    private readonly log: PaymentsLog,
  ) {}

  /** Undefined where the store would not take it now: it is tried again behind the client's back. */
  async nowOrLater<Written>(
    operationId: OperationId,
    write: () => Promise<Written>,
  ): Promise<Written | undefined> {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof EventStoreError)) throw error;
      this.log.error('outcome-not-written', { operationId, reason: error.code });
      void this.later(write);
      return undefined;
    }
  }

  private async later(write: () => Promise<unknown>): Promise<void> {
    if (this.waiting >= MAX_WAITING) return;
    this.waiting++;
    const givenUpAt = this.clock.monotonicNow() + this.timings.terminalDeadline;
    while (this.clock.monotonicNow() < givenUpAt) {
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref());
      const written = await write().catch(() => undefined);
      if (written) break;
    }
    this.waiting--;
  }
}
