import type { Log } from '@tillstream/platform';
import { PROJECTOR_LEASE, type ReadModels } from '@tillstream/read-models';

const POLL_INTERVAL_MS = 1_000;
/** Longer than a lease, and longer than the restart of its last holder. */
const WITHOUT_PROJECTOR_MS = 10_000;

/** Batches need projected rows. If no API has projected for a while, this process starts a projector itself. */
export function startProjectorFallback(readModels: ReadModels, log: Log): { stop(): void } {
  let lastSeen = performance.now();
  let isStopped = false;
  const check = async (): Promise<void> => {
    if (await readModels.leases.isHeld(PROJECTOR_LEASE)) lastSeen = performance.now();
    if (isStopped || performance.now() - lastSeen < WITHOUT_PROJECTOR_MS) return;
    stop();
    log.info('projects-itself');
    await readModels.start();
  };
  const timer = setInterval(() => {
    check().catch((error: unknown) => {
      log.error('projector-failed', { reason: error instanceof Error ? error.message : String(error) });
    });
  }, POLL_INTERVAL_MS);
  const stop = (): void => {
    isStopped = true;
    clearInterval(timer);
  };
  return { stop };
}
