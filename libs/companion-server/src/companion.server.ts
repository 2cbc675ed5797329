import 'reflect-metadata';
import type { Server } from 'node:http';
import { NestFactory } from '@nestjs/core';
import type { HealthCheck } from '@tillstream/contracts';
import type { MetricsRegistry } from '@tillstream/platform';
import { cachedLookup, listen } from '@tillstream/runtime';
import { CompanionModule } from './companion.module.js';

export interface CompanionServerOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Why the process can't do its work now; empty if it can. */
  notReady(): Promise<readonly string[]>;
  readonly metrics: Pick<MetricsRegistry, 'text' | 'observableGauge'>;
}

export interface CompanionServer {
  readonly port: number;
  /** Why the process is not ready even if `notReady` gives no reason, as `starting`; undefined: it works. */
  closedBecause: string | undefined;
  close(): Promise<void>;
}

/** A scrape looks at the stores at most this often. */
const CHECK_EVERY_MS = 2_000;

/**
 * Serves `/health/live`, `/health/ready` and `/metrics` of a process that works beside the API. It is `starting` until its
 * caller clears `closedBecause`.
 */
export async function startCompanionServer(options: CompanionServerOptions): Promise<CompanionServer> {
  const { host, metrics } = options;
  const state: { closedBecause: string | undefined } = { closedBecause: 'starting' };
  const checks = (): Promise<readonly HealthCheck[]> => checksOf(state.closedBecause, options);
  const recent = cachedLookup(CHECK_EVERY_MS, checks);
  const help = 'The result of a check of /health/ready: 1 ok, 0 failed.';
  metrics.observableGauge('ready', help, ['check'], async () =>
    (await recent()).map(({ name, state: result }) => [result === 'ok' ? 1 : 0, name]),
  );
  const module = CompanionModule.of({ checks, metrics });
  const app = await NestFactory.create(module, { logger: false, abortOnError: false });
  await app.init();
  const { port, close } = await listen(app.getHttpServer() as Server, host, options.port);
  return Object.assign(state, { port, close });
}

async function checksOf(
  closedBecause: string | undefined,
  { notReady }: Pick<CompanionServerOptions, 'notReady'>,
): Promise<readonly HealthCheck[]> {
  if (closedBecause !== undefined) return [{ name: 'start', state: 'failed', reason: closedBecause }];
  const reasons = await notReady();
  if (reasons.length === 0) return [{ name: 'stores', state: 'ok' }];
  return reasons.map((reason) => ({ name: 'stores', state: 'failed', reason }));
}
