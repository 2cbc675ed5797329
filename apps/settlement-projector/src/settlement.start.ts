import 'reflect-metadata';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NestFactory } from '@nestjs/core';
import { createBatches } from '@tillstream/payments';
import { openSettlementAdapters, readModelWriteThrough, type Config, type Log } from '@tillstream/platform';
import { startProjectorFallback } from './projector.fallback.js';
import { SettlementModule } from './settlement.module.js';
import type { ReadinessGate } from './settlement.parts.js';

export interface RunningSettlement {
  readonly port: number;
  /** Does not wait for open batches: the next process continues them. */
  stop(): Promise<void>;
}

export async function startSettlement(config: Config, log: Log): Promise<RunningSettlement> {
  const adapters = await openSettlementAdapters(config, log);
  const readiness: ReadinessGate = { closedBecause: 'starting' };
  try {
    const { store, clock, readModels, leases } = adapters;
    const batches = createBatches({
      store,
      clock,
      log,
      readModels: readModelWriteThrough(readModels),
      items: readModels.batches,
      leases,
    });
    const app = await NestFactory.create(SettlementModule.of({ adapters, readiness }), {
      logger: false,
      abortOnError: false,
    });
    await app.listen(config.settlementProjectorPort, config.host);
    const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
    const watch = startProjectorFallback(readModels, log);
    batches.start();
    readiness.closedBecause = undefined;
    log.info('settlement-started', { host: config.host, port });
    const stop = async (): Promise<void> => {
      readiness.closedBecause = 'stopping';
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
