import type { Log } from '@tillstream/platform';
import { PROJECTOR_LEASE, type ReadModels } from '@tillstream/read-models';

const POLL_INTERVAL_MS = 1_000;
/** Longer than a lease, and than the restart of whoever had it takes. */
const WITHOUT_PROJECTOR_MS = 10_000;

/**
 * Somebody has to project the rows that batches go by. Mostly the API does; where nobody has for a while, as where only
 * this process is up, it does so itself.
 */
export function startProjectorFallback(readModels: ReadModels, log: Log): { stop(): void } {
  let lastSeen = performance.now();
  let isOver = false;
  const look = async (): Promise<void> => {
    if (await readModels.leases.isHeld(PROJECTOR_LEASE)) lastSeen = performance.now();
    if (isOver || performance.now() - lastSeen < WITHOUT_PROJECTOR_MS) return;
    stop();
    log.info('projects-itself');
    await readModels.start();
  };
  const timer = setInterval(() => {
    look().catch((error: unknown) => {
      log.error('projector-failed', { reason: error instanceof Error ? error.message : String(error) });
    });
  }, POLL_INTERVAL_MS);
  const stop = (): void => {
    isOver = true;
    clearInterval(timer);
  };
  return { stop };
}
