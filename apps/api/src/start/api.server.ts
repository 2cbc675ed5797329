import 'reflect-metadata';
import type { Server } from 'node:http';
import { NestFactory } from '@nestjs/core';
import { closeServer, listen } from '@tillstream/platform';
import { ApiModule } from '../api.module.js';
import type { ApiParts, ListeningAddress } from '../api.parts.js';
import { ApiDocuments } from '../docs/api.documents.js';
import { JsonAdapter } from '../http/json.adapter.js';
import { respondToBrokenRequests, requireHost } from '../http/broken.request.js';
import { tracing } from '../http/trace.js';
import { measuring } from '../metrics/measured.requests.js';

const KEEP_ALIVE_MS = 75_000;
const HEADERS_WITHIN_MS = 15_000;
const REQUEST_WITHIN_MS = 60_000;

export interface ApiServer {
  /** `http://localhost:3000`. */
  readonly origin: string;
  readonly port: number;
  /** Takes no new connections, lets requests in flight finish. */
  stop(): Promise<void>;
}

/** Rejects where the port can't be had. */
export async function serveApi(parts: ApiParts, host: string, port: number): Promise<ApiServer> {
  const reached: ListeningAddress = { origin: '' };
  const app = await NestFactory.create(ApiModule.of(parts, reached), new JsonAdapter(), {
    bodyParser: false,
    logger: false,
    abortOnError: false,
  });
  app.get(ApiDocuments).describe(app);
  app.use(tracing(parts.log), measuring(parts.adapters.observability), requireHost);
  await app.init();
  const server = app.getHttpServer() as Server;
  server.headersTimeout = HEADERS_WITHIN_MS;
  // Limits the receiving of a request only: a terminal may take 130 s until the response
  // (`docs/spec/unknown-outcomes.md#timing`).
  server.requestTimeout = REQUEST_WITHIN_MS;
  server.timeout = 0;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  respondToBrokenRequests(server);
  const listening = await listen(server, host, port);
  reached.origin = listening.origin;
  return { ...listening, stop: () => closeServer(server) };
}
