import 'reflect-metadata';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NestFactory } from '@nestjs/core';
import { createBatches } from '@tillstream/payments';
import { bankHolidays, openSettlementAdapters, readModelWriteThrough, type Config, type Log } from '@tillstream/platform';
import { PROJECTOR_LEASE, type ReadModels } from '@tillstream/read-models';
import { errorMessage } from '@tillstream/runtime';
import { SettlementModule, type SettlementParts } from './settlement.module.js';

const POLL_INTERVAL_MS = 1_000;
/** Longer than a lease, and longer than the restart of its last holder. */
const WITHOUT_PROJECTOR_MS = 10_000;

export interface RunningSettlement {
  readonly port: number;
  /** Does not wait for open batches: the next process continues them. */
  stop(): Promise<void>;
}

export async function startSettlement(config: Config, log: Log): Promise<RunningSettlement> {
  const adapters = await openSettlementAdapters(config, log);
  const parts: SettlementParts = { adapters, closedBecause: 'starting' };
  try {
    const { store, clock, readModels, leases } = adapters;
    const batches = createBatches({
      ...{ store, clock, log, leases, bankHolidays },
      readModels: readModelWriteThrough(readModels),
      items: readModels.batches,
      fundsByClock: config.mode === 'sandbox',
    });
    const app = await NestFactory.create(SettlementModule.of(parts), { logger: false, abortOnError: false });
    await app.listen(config.settlementProjectorPort, config.host);
    const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
    const watch = startProjectorFallback(readModels, log);
    batches.start();
    parts.closedBecause = undefined;
    log.info('settlement-started', { host: config.host, port });
    const stop = async (): Promise<void> => {
      parts.closedBecause = 'stopping';
      watch.stop();
      await batches.stop();
      await app.close();
      await adapters.close();
      log.info('settlement-stopped');
    };
    return { port, stop };
  } catch (error) {
    await adapters.close();
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
