import 'reflect-metadata';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NestFactory } from '@nestjs/core';
import { openDispatcherAdapters, type Config, type Log } from '@tillstream/platform';
import { DispatcherModule, type DispatcherParts } from './dispatcher.module.js';
import { createDispatching } from './dispatching.js';

export interface RunningDispatcher {
  readonly port: number;
  /** Waits for attempts in flight, for a bounded time. */
  stop(): Promise<void>;
}

export async function startDispatcher(config: Config, log: Log): Promise<RunningDispatcher> {
  const adapters = await openDispatcherAdapters(config, log);
  const parts: DispatcherParts = { notReady: () => adapters.notReady(), closedBecause: 'starting' };
  try {
    const dispatching = createDispatching(config, adapters, log);
    const app = await NestFactory.create(DispatcherModule.of(parts), { logger: false, abortOnError: false });
    await app.listen(config.webhookDispatcherPort, config.host);
    const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
    dispatching.start();
    parts.closedBecause = undefined;
    log.info('webhooks-started', { host: config.host, port });
    const stop = async (): Promise<void> => {
      parts.closedBecause = 'stopping';
      await dispatching.stop();
      await app.close();
      await adapters.close();
      log.info('webhooks-stopped');
    };
    return { port, stop };
  } catch (error) {
    await adapters.close();
    throw error;
  }
}
