import type { SandboxFacts } from '@tillstream/contracts';
import {
  createBatches,
  createPayments,
  noReadModels,
  recordRebuild,
  type PaymentsUseCases,
  type Provisioning,
} from '@tillstream/payments';
import {
  retryWhileUnavailable,
  openAdapters,
  readModelWriteThrough,
  withStartupLock,
  type Adapters,
  type Config,
  type Log,
  type ProcessorFactory,
} from '@tillstream/platform';
import { paymentMethodListItem } from '@tillstream/presentation';
import type { ApiParts, ReadinessGate } from '../api.parts.js';
import { watchApi } from '../metrics/api.gauges.js';
import { RebuildingProjections } from '../operators/projections/projection.rebuilds.js';
import { serveApi, type ApiServer } from './api.server.js';
import { demoKeys, demoMerchant } from './demo.merchant.js';
import { readSandboxFile, writeSandboxFile } from './sandbox.file.js';

const CATCHING_UP = 'the lists are catching up with the history';
const WAIT_FOR_LISTS_MS = 2_000;
const CHECK_LISTS_EVERY_MS = 500;

export interface RunningApi {
  readonly origin: string;
  readonly port: number;
  /** What `sandbox.json` holds. */
  readonly facts: SandboxFacts;
  readonly provisioning: Provisioning;
  /** The vault's, where this start made it. */
  readonly madeMasterKeyFile?: string;
  /** Ends readiness, finishes requests in flight, stops processor notices and the resolver, closes the stores. */
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
  let server: ApiServer | undefined;
  const gate: ReadinessGate = { closedBecause: 'starting' };
  try {
    const { readModels } = adapters;
    const head = await retryWhileUnavailable(config, () => adapters.store.head());
    const listed = config.sandboxLists === 'on';
    const { module, batches, projections, parts } = createParts(config, adapters, log, gate);
    const { provisioning, resolver } = module;
    watchApi(adapters, gate, module.unknownOutcomes);
    const listening = await serveApi(parts, config.host, config.port);
    server = listening;
    const provisioned = (): Promise<SandboxFacts> =>
      withStartupLock(config.dataDir, () => provision(config, adapters, module, listening.origin));
    const facts = await retryWhileUnavailable(config, provisioned);
    resolver.start();
    adapters.notices.listen(module.inbox);
    if (listed) await readModels.start();
    await openGate(gate, () => (listed ? readModels.waitUntilCaughtUp(head) : Promise.resolve()), log);
    log.info('started', { mode: config.mode, host: config.host, port: listening.port });
    const stop = async (): Promise<void> => {
      gate.closedBecause = 'stopping';
      await listening.stop();
      await adapters.notices.stop();
      await resolver.stop();
      await batches.stop();
      await projections.stop();
      await adapters.close();
      log.info('stopped');
    };
    const { createdMasterKeyFile } = adapters;
    return {
      origin: listening.origin,
      port: listening.port,
      facts,
      provisioning,
      ...(createdMasterKeyFile !== undefined && { madeMasterKeyFile: createdMasterKeyFile }),
      stop,
    };
  } catch (error) {
    await server?.stop();
    await adapters.notices.stop();
    await adapters.close();
    throw error;
  }
}

/** The use cases on the adapters. It starts nothing. */
function createParts(config: Config, adapters: Adapters, log: Log, readiness: ReadinessGate) {
  const { store, clock, vault, readModels, leases, observability } = adapters;
  const { processors, idempotency, workQueue, crashPoints } = adapters;
  const listed = config.sandboxLists === 'on';
  const rows = listed ? observability.rows(readModelWriteThrough(readModels)) : noReadModels;
  const module = createPayments({
    ...{ store, processors, clock, idempotency, workQueue, leases, crashPoints, log, vault },
    timings: config.timings,
    readModels: rows,
    confirmation: { mode: config.mode, above: config.resolveConfirmAbove },
  });
  const { payments, storedCards, accountHolders, provisioning, unknownOutcomes, resolver } = module;
  const batches = createBatches({
    ...{ store, clock, log, leases },
    readModels: rows,
    items: readModels.batches,
  });
  const projections = new RebuildingProjections(readModels, log, (operator, name) =>
    recordRebuild({ store, clock }, operator, name),
  );
  const parts: ApiParts = {
    ...{ payments, storedCards, accountHolders, provisioning, unknownOutcomes, projections, batches },
    ...{ adapters, log, readiness },
    directory: module.authentication,
    mode: config.mode,
    dueWork: listed ? [resolver, batches] : [resolver],
    lists: readModels.queries,
    defaultRateLimit: config.rateLimitPerSecond,
  };
  return { module, batches, projections, parts };
}

/** Ready once the lists show every operation of before the start. With a long history the service starts before that. */
async function openGate(gate: ReadinessGate, caughtUp: () => Promise<void>, log: Log): Promise<void> {
  let because = CATCHING_UP;
  gate.closedBecause = because;
  const opening = async (): Promise<void> => {
    while (gate.closedBecause === because) {
      try {
        await caughtUp();
        if (gate.closedBecause === because) gate.closedBecause = undefined;
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        log.error('lists-not-caught-up', { reason });
        if (gate.closedBecause !== because) return;
        gate.closedBecause = because = `the lists can not catch up with the history: ${reason}`;
        await new Promise((resume) => setTimeout(resume, CHECK_LISTS_EVERY_MS).unref());
      }
    }
  };
  await Promise.race([opening(), new Promise((resume) => setTimeout(resume, WAIT_FOR_LISTS_MS).unref())]);
}

/** Provides the demo merchant and its keys, and writes them to `sandbox.json`. */
async function provision(
  { dataDir, sandboxTerminals }: Config,
  { store }: Adapters,
  { provisioning, authentication }: PaymentsUseCases,
  origin: string,
): Promise<SandboxFacts> {
  const merchant = await demoMerchant(store, provisioning, authentication, sandboxTerminals);
  const keys = await demoKeys(readSandboxFile(dataDir), merchant.id, provisioning, authentication);
  const facts: SandboxFacts = {
    baseUrl: `${origin}/v1`,
    adminBaseUrl: `${origin}/admin/v1`,
    ...keys,
    merchantId: merchant.id,
    paymentMethods: merchant.paymentMethods.filter(({ disabled }) => !disabled).map(paymentMethodListItem),
  };
  writeSandboxFile(dataDir, facts);
  return facts;
}
