import { startCompanionServer } from '@tillstream/companion-server';
import { createBatches } from '@tillstream/payments';
import {
  BATCH_ALERTS,
  bankHolidays,
  MetricsRegistry,
  openSettlementAdapters,
  processInfo,
  readModelWriteThrough,
  registerRebuildGauges,
  type Config,
  type Log,
} from '@tillstream/platform';
import { PROJECTOR_LEASE, type ReadModels } from '@tillstream/read-models';
import { errorMessage } from '@tillstream/runtime';

const POLL_INTERVAL_MS = 1_000;
/** Longer than a lease, and longer than the restart of its last holder. */
const WITHOUT_PROJECTOR_MS = 10_000;

export interface RunningSettlement {
  readonly port: number;
  /** Does not wait for open batches: the next process continues them. */
  stop(): Promise<void>;
}

export async function startSettlement(config: Config, plainLog: Log): Promise<RunningSettlement> {
  const metrics = new MetricsRegistry(processInfo('settlement-projector', config.mode), BATCH_ALERTS);
  const log = metrics.log(plainLog);
  const adapters = await openSettlementAdapters(config, log).catch((error: unknown) => {
    metrics.close();
    throw error;
  });
  try {
    const { store, clock, readModels, leases } = adapters;
    registerRebuildGauges(metrics, readModels);
    const batches = createBatches({
      ...{ store, clock, log, leases, bankHolidays },
      readModels: readModelWriteThrough(readModels),
      items: readModels.batches,
      fundsByClock: config.mode === 'sandbox',
    });
    const server = await startCompanionServer({
      ...{ host: config.host, port: config.settlementProjectorPort, metrics },
      notReady: () => adapters.notReady(),
    });
    const { port } = server;
    const watch = startProjectorFallback(readModels, log);
    batches.start();
    server.closedBecause = undefined;
    log.info('settlement-started', { host: config.host, port });
    const stop = async (): Promise<void> => {
      server.closedBecause = 'stopping';
      watch.stop();
      await batches.stop();
      await server.close();
      await adapters.close();
      metrics.close();
      log.info('settlement-stopped');
    };
    return { port, stop };
  } catch (error) {
    await adapters.close();
    metrics.close();
    throw error;
  }
}

/** Batches need projected rows. If no API has projected for a while, this process starts a projector itself. */
function startProjectorFallback(readModels: ReadModels, log: Log): { stop(): void } {
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
      log.error('projector-failed', { reason: errorMessage(error) });
    });
  }, POLL_INTERVAL_MS);
  const stop = (): void => {
    isStopped = true;
    clearInterval(timer);
  };
  return { stop };
}
