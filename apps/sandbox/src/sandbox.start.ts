import 'reflect-metadata';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import {
  closeServer,
  ConfigError,
  listen,
  makePrivateDirectory,
  type Log,
  type SandboxServiceConfig,
} from '@tillstream/platform';
import { openToldSandbox, type ToldSandbox } from '@tillstream/sandbox';
import express from 'express';
import { arrival } from './http/arrival.js';
import { SandboxModule } from './sandbox.module.js';
import type { ReadinessGate } from './sandbox.parts.js';

/** Longer than a caller keeps an idle connection: of the two it is to close it. */
const KEEP_ALIVE_MS = 75_000;
const HEADERS_WITHIN_MS = 15_000;
const REQUEST_WITHIN_MS = 30_000;
/** More than a caller may be set to make. */
const MOST_CONNECTIONS = 12_000;
/** Whoever still waits then is one for whom nothing was to come soon. */
const STOPS_WITHIN_MS = 3_000;

export interface RunningSandbox {
  /** `http://localhost:3100`. */
  readonly origin: string;
  readonly port: number;
  /** Takes no new connections, lets what is about to be answered be answered, and closes the books. */
  stop(): Promise<void>;
}

/** The whole service in this process. Rejects with a `ConfigError`, or where the port can't be had. */
export async function startSandboxService(config: SandboxServiceConfig, log: Log): Promise<RunningSandbox> {
  const sandbox = openedBooks(config);
  const gate: ReadinessGate = { closedBecause: 'starting' };
  try {
    const app = await NestFactory.create(
      SandboxModule.of({ sandbox, secret: config.secret, log, gate }),
      bareExpress(),
      { bodyParser: false, logger: false, abortOnError: false },
    );
    app.use(arrival(log));
    await app.init();
    const server = app.getHttpServer() as Server;
    server.headersTimeout = HEADERS_WITHIN_MS;
    // For receiving a request only: an answer may never come.
    server.requestTimeout = REQUEST_WITHIN_MS;
    server.timeout = 0;
    server.keepAliveTimeout = KEEP_ALIVE_MS;
    server.maxConnections = MOST_CONNECTIONS;
    const { origin, port } = await listen(server, config.host, config.port);
    gate.closedBecause = undefined;
    log.info('started', { host: config.host, port });
    return {
      origin,
      port,
      stop: async () => {
        gate.closedBecause = 'stopping';
        await closeServer(server, STOPS_WITHIN_MS);
        sandbox.close();
        log.info('stopped');
      },
    };
  } catch (error) {
    sandbox.close();
    throw error;
  }
}

function openedBooks({ dataDir, processorDeadline, brokenWordDelay }: SandboxServiceConfig): ToldSandbox {
  try {
    makePrivateDirectory(dataDir);
    return openToldSandbox({
      file: join(dataDir, 'sandbox.db'),
      processorDeadlineMs: processorDeadline,
      brokenWordDelayMs: brokenWordDelay,
    });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ConfigError(
      `SANDBOX_DATA_DIR is "${dataDir}", where no books can be opened (${why}); set another.`,
    );
  }
}

function bareExpress(): ExpressAdapter {
  const server = express();
  server.disable('x-powered-by');
  server.disable('etag');
  return new ExpressAdapter(server);
}
