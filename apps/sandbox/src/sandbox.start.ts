import 'reflect-metadata';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { ConfigError, makePrivateDirectory, type Log, type SandboxServiceConfig } from '@tillstream/platform';
import { errorMessage, listen } from '@tillstream/runtime';
import { openStandaloneSandbox, type StandaloneSandbox } from '@tillstream/sandbox';
import express from 'express';
import { requestLog } from './http/wire.request.js';
import { SandboxModule } from './sandbox.module.js';
import type { ReadinessGate } from './sandbox.parts.js';

/** Longer than the client's own limit, so that the client closes idle connections. */
const KEEP_ALIVE_MS = 75_000;
const HEADERS_TIMEOUT_MS = 15_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** More than the largest value of SANDBOX_CONNECTIONS. */
const CONNECTIONS_MAX = 12_000;
/** Calls that still wait then would get no response soon. */
const STOP_TIMEOUT_MS = 3_000;

export interface RunningSandbox {
  /** `http://localhost:3100`. */
  readonly origin: string;
  readonly port: number;
  /** Accepts no new connections, waits a short time for running calls, and closes the ledger. */
  stop(): Promise<void>;
}

/** Rejects with a `ConfigError`, or if the service can't listen on the port. */
export async function startSandboxService(config: SandboxServiceConfig, log: Log): Promise<RunningSandbox> {
  const sandbox = openLedger(config);
  const gate: ReadinessGate = { closedBecause: 'starting' };
  try {
    const app = await NestFactory.create(
      SandboxModule.of({ sandbox, secret: config.secret, log, gate }),
      new ExpressAdapter(express().disable('x-powered-by').disable('etag')),
      { bodyParser: false, logger: false, abortOnError: false },
    );
    app.use(requestLog(log));
    await app.init();
    const server = app.getHttpServer() as Server;
    server.headersTimeout = HEADERS_TIMEOUT_MS;
    // It limits only the receiving of a request. There is no limit for a response, which may never come.
    server.requestTimeout = REQUEST_TIMEOUT_MS;
    server.timeout = 0;
    server.keepAliveTimeout = KEEP_ALIVE_MS;
    server.maxConnections = CONNECTIONS_MAX;
    const { close, ...address } = await listen(server, config.host, config.port);
    gate.closedBecause = undefined;
    log.info('started', { host: config.host, port: address.port });
    return {
      ...address,
      stop: async () => {
        gate.closedBecause = 'stopping';
        await close(STOP_TIMEOUT_MS);
        sandbox.close();
        log.info('stopped');
      },
    };
  } catch (error) {
    sandbox.close();
    throw error;
  }
}

function openLedger({
  dataDir,
  processorDeadline,
  brokenWordDelay,
}: SandboxServiceConfig): StandaloneSandbox {
  try {
    makePrivateDirectory(dataDir);
    return openStandaloneSandbox({
      file: join(dataDir, 'sandbox.db'),
      processorDeadlineMs: processorDeadline,
      lateExecutionDelayMs: brokenWordDelay,
    });
  } catch (error) {
    const why = errorMessage(error);
    throw new ConfigError(
      `SANDBOX_DATA_DIR is "${dataDir}", where no ledger can be opened (${why}); set another.`,
    );
  }
}
