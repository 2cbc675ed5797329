import 'reflect-metadata';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NestFactory } from '@nestjs/core';
import { createBatches } from '@tillstream/payments';
import { openSettlementAdapters, readModelWriteThrough, type Config, type Log } from '@tillstream/platform';
import { startProjectorFallback } from './projector.fallback.js';
import { SettlementModule, type SettlementParts } from './settlement.module.js';

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
      store,
      clock,
      log,
      readModels: readModelWriteThrough(readModels),
      items: readModels.batches,
      leases,
    });
    const app = await NestFactory.create(SettlementModule.of(parts), {
      logger: false,
      abortOnError: false,
    });
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
