import 'reflect-metadata';
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { NestFactory } from '@nestjs/core';
import type { SandboxFacts } from '@tillstream/contracts';
import { pick } from '@tillstream/domain';
import {
  createBatches,
  createPayments,
  MerchantApplicationRegistry,
  noReadModels,
  PricingTemplateRegistry,
  recordRebuild,
  type Provisioning,
} from '@tillstream/payments';
import {
  bankHolidays,
  createWebhookEndpoints,
  retryWhileUnavailable,
  openAdapters,
  readModelWriteThrough,
  withStartupLease,
  withStartupLock,
  type Adapters,
  type Config,
  type Log,
  type ProcessorFactory,
} from '@tillstream/platform';
import { errorMessage, listen } from '@tillstream/runtime';
import { ApiModule } from '../api.module.js';
import { MerchantTurns, TURN_LIMITS } from '../access/merchant.turns.js';
import type { ApiParts, ListeningAddress, ReadinessGate } from '../api.parts.js';
import { submissionLimitSettings } from '../card-testing/submission.limits.js';
import { ApiDocuments } from '../docs/docs.controllers.js';
import { respondToBrokenRequests, requireHost } from '../http/broken.request.js';
import { JsonAdapter } from '../http/json.adapter.js';
import { tracing } from '../http/trace.js';
import { watchApi, watchResolver, watchTurns } from '../metrics/api.gauges.js';
import { measuring } from '../metrics/measured.requests.js';
import { RebuildingProjections } from '../operators/projections/projection.rebuilds.js';
import { dueDeliveries, dueNotices } from '../sandbox/clock.due-work.js';
import { demoFacts, provisionDemo } from './demo.merchant.js';

const WAIT_FOR_LISTS_MS = 2_000;
const CHECK_LISTS_EVERY_MS = 500;
const KEEP_ALIVE_MS = 75_000;
const HEADERS_WITHIN_MS = 15_000;
const REQUEST_WITHIN_MS = 60_000;

export interface RunningApi {
  readonly origin: string;
  readonly port: number;
  /** What `sandbox.json` holds. */
  readonly facts: SandboxFacts;
  readonly provisioning: Provisioning;
  /** The vault's, where this start made it. */
  readonly madeMasterKeyFile?: string;
  /** Ends readiness, takes requests for `STOP_DELAY_MS` more, finishes those in flight, stops processor notices and the resolver, closes the stores. */
  stop(): Promise<void>;
}

/**
 * The whole service in this process; it is ready when the promise resolves.
 * @param openings Left out: the processors of this version.
 */
export async function startApi(
  config: Config,
  plainLog: Log,
  openings?: readonly ProcessorFactory[],
): Promise<RunningApi> {
  const adapters = await openAdapters(config, plainLog, openings);
  const { observability } = adapters;
  const log = observability.log(plainLog);
  let server: ListeningApi | undefined;
  const gate: ReadinessGate = { closedBecause: 'starting' };
  try {
    const { readModels } = adapters;
    const head = await retryWhileUnavailable(config, () => adapters.store.head());
    const listed = config.sandboxLists === 'on';
    const { module, batches, projections, parts } = createParts(config, adapters, log, gate);
    const { provisioning, resolver } = module;
    watchApi(adapters, gate, module.unknownOutcomes);
    watchTurns(observability.metrics, parts.turns);
    watchResolver(observability.metrics, resolver);
    const listening = await serveApi(parts, config);
    server = listening;
    const provisioned = (): Promise<SandboxFacts> =>
      withStartupLock(config.dataDir, () =>
        withStartupLease(adapters.leases, () =>
          provisionDemo(
            config,
            adapters,
            { ...module, ...pick(parts, 'webhookEndpoints', 'pricingTemplates') },
            listening.origin,
          ),
        ),
      );
    const facts = await retryWhileUnavailable(config, provisioned);
    resolver.start();
    adapters.notices.listen(module.inbox);
    if (listed) await readModels.start();
    await openGate(gate, () => (listed ? readModels.waitUntilCaughtUp(head) : Promise.resolve()), log);
    log.info('started', { mode: config.mode, host: config.host, port: listening.port });
    const stop = async (): Promise<void> => {
      gate.closedBecause = 'stopping';
      await listening.stop(config.stopDelay);
      await adapters.notices.stop();
      await resolver.stop();
      await batches.stop();
      await projections.stop();
      await adapters.close();
      log.info('stopped');
    };
    const { createdMasterKeyFile } = adapters;
    return {
      ...listening,
      facts,
      provisioning,
      ...(createdMasterKeyFile !== undefined && { madeMasterKeyFile: createdMasterKeyFile }),
      stop,
    };
  } catch (error) {
    await server?.stop(0);
    await adapters.notices.stop();
    await adapters.close();
    throw error;
  }
}

/** The use cases on the adapters. It starts nothing. */
function createParts(config: Config, adapters: Adapters, log: Log, readiness: ReadinessGate) {
  const { store, clock, vault, sessionKeys, readModels, leases, observability } = adapters;
  const { processors, threeDsServer, idempotency, workQueue, crashPoints } = adapters;
  const listed = config.sandboxLists === 'on';
  const rows = listed ? observability.rows(readModelWriteThrough(readModels)) : noReadModels;
  const turns = new MerchantTurns({ ...TURN_LIMITS, inFlightMax: config.requestsInFlightPerMerchant });
  const module = createPayments({
    ...{ store, processors, threeDsServer, clock, idempotency, workQueue, leases, crashPoints, log },
    ...{ vault, sessionKeys, waitForProcessor: turns.waitForProcessor },
    timings: config.timings,
    readModels: rows,
    confirmation: { mode: config.mode, above: config.resolveConfirmAbove },
  });
  const { payments, storedCards, forms, sessionIds } = module;
  const { accountHolders, provisioning, unknownOutcomes, resolver } = module;
  const batches = createBatches({
    ...{ store, clock, log, leases, bankHolidays },
    readModels: rows,
    items: readModels.batches,
    fundsByClock: config.mode === 'sandbox',
  });
  const webhookEndpoints = createWebhookEndpoints(config, { store, clock, vault });
  const projections = new RebuildingProjections(readModels, log, (operator, name) =>
    recordRebuild({ store, clock }, operator, name),
  );
  const parts: ApiParts = {
    ...{
      payments,
      storedCards,
      forms,
      sessionIds,
      accountHolders,
      provisioning,
      unknownOutcomes,
      projections,
      batches,
      webhookEndpoints,
      applications: new MerchantApplicationRegistry({ store, clock }),
      pricingTemplates: new PricingTemplateRegistry({ store, clock }),
    },
    ...{ adapters, log, readiness, turns },
    authentication: module.authentication,
    mode: config.mode,
    dueWork: [
      ...[resolver, ...(listed ? [batches] : []), dueNotices(adapters.notices)],
      // Others may stop theirs.
      ...(config.webhookDispatcher === 'beside' ? [dueDeliveries(adapters.deliveries, clock)] : []),
    ],
    lists: readModels.queries,
    defaultRateLimit: config.rateLimitPerSecond,
    submissionLimitSettings: submissionLimitSettings(config),
    demo: () => demoFacts(config.dataDir),
  };
  return { module, batches, projections, parts };
}

interface ListeningApi extends Pick<RunningApi, 'origin' | 'port'> {
  /** Takes requests for `delayMs` more, then waits for those in flight. */
  stop(delayMs: number): Promise<void>;
}

/** Rejects where the port can't be had. */
async function serveApi(
  parts: ApiParts,
  { host, port, publicUrl, trustedProxies }: Config,
): Promise<ListeningApi> {
  const reached: ListeningAddress = { origin: '', publicOrigin: '' };
  const adapter = new JsonAdapter(trustedProxies);
  const app = await NestFactory.create(ApiModule.of(parts, reached), adapter, {
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
  const { close, ...address } = await listen(server, host, port);
  reached.origin = address.origin;
  reached.publicOrigin = publicUrl ?? address.origin;
  return {
    ...address,
    async stop(delayMs) {
      adapter.endConnections();
      if (delayMs > 0) await sleep(delayMs);
      await close();
    },
  };
}

/** Ready once the lists show every operation of before the start. With a long history the service starts before that. */
async function openGate(gate: ReadinessGate, caughtUp: () => Promise<void>, log: Log): Promise<void> {
  let because = 'the lists are catching up with the history';
  gate.closedBecause = because;
  const opening = async (): Promise<void> => {
    while (gate.closedBecause === because) {
      try {
        await caughtUp();
        if (gate.closedBecause === because) gate.closedBecause = undefined;
      } catch (error) {
        const reason = errorMessage(error);
        log.error('lists-not-caught-up', { reason });
        if (gate.closedBecause !== because) return;
        gate.closedBecause = because = `the lists can not catch up with the history: ${reason}`;
        await new Promise((resume) => setTimeout(resume, CHECK_LISTS_EVERY_MS).unref());
      }
    }
  };
  await Promise.race([opening(), new Promise((resume) => setTimeout(resume, WAIT_FOR_LISTS_MS).unref())]);
}
