import { startCompanionServer } from '@tillstream/companion-server';
import {
  MetricsRegistry,
  openDispatcherAdapters,
  processInfo,
  type Config,
  type Log,
} from '@tillstream/platform';
import { createDispatcher } from './dispatcher.js';

/** Log events of level `error` that alert rules look for. */
const RARE_ALERTS = ['webhook-sending-failed', 'webhook-endpoint-not-disabled', 'webhooks-failed'];

export interface RunningDispatcher {
  readonly port: number;
  /** Waits for attempts in flight, for a bounded time. */
  stop(): Promise<void>;
}

export async function startDispatcher(config: Config, plainLog: Log): Promise<RunningDispatcher> {
  const metrics = new MetricsRegistry(processInfo('webhook-dispatcher', config.mode), RARE_ALERTS);
  const log = metrics.log(plainLog);
  const adapters = await openDispatcherAdapters(config, log).catch((error: unknown) => {
    metrics.close();
    throw error;
  });
  const { host, webhookDispatcherPort } = config;
  try {
    const dispatcher = createDispatcher(config, adapters, { log, metrics });
    const server = await startCompanionServer({
      ...{ host, port: webhookDispatcherPort, metrics },
      notReady: () => adapters.notReady(),
    });
    const { port } = server;
    dispatcher.start();
    server.closedBecause = undefined;
    log.info('webhooks-started', { host, port });
    const stop = async (): Promise<void> => {
      server.closedBecause = 'stopping';
      await dispatcher.stop();
      await server.close();
      await adapters.close();
      metrics.close();
      log.info('webhooks-stopped');
    };
    return { port, stop };
  } catch (error) {
    await adapters.close();
    metrics.close();
    throw error;
  }
}
