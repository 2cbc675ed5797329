import { randomBytes } from 'node:crypto';
import type { Merchant } from '@tillstream/domain';
import { createPayments, type Actor, type ReadModelWriter } from '@tillstream/payments';
import { noLog, openAdapters, readConfig } from '@tillstream/platform';

export type InProcessSales = Awaited<ReturnType<typeof openInProcessSales>>;

const actor: Actor = { type: 'ApiKey', name: 'bench', keyId: 'key_bench' };

/** @param readModels gets the rows of each sale before it is answered. Left out: no lists */
export async function openInProcessSales(
  dataDir: string,
  eventStoreDbUrl: string,
  terminals: number,
  readModels?: ReadModelWriter,
) {
  const settings = { EVENT_STORE: 'eventstoredb', EVENTSTOREDB_URL: eventStoreDbUrl };
  const config = readConfig({ DATA_DIR: dataDir, ...settings });
  const adapters = await openAdapters(config, noLog);
  const { store, processors, threeDsServer, vault, clock, idempotency, workQueue } = adapters;
  const { crashPoints, sessionKeys } = adapters;
  const { leases } = adapters.readModels;
  const { timings } = config;
  const ports = {
    store,
    processors,
    threeDsServer,
    vault,
    clock,
    idempotency,
    workQueue,
    leases,
    timings,
    crashPoints,
  };
  const { payments, provisioning } = createPayments({
    ...ports,
    ...(readModels && { readModels }),
    sessionKeys,
    log: noLog,
  });
  const merchant: Merchant = await provisioning.createMerchant(actor, {
    name: 'Bench',
    currencies: ['USD'],
    timeZone: 'America/New_York',
    cutOff: '22:00',
    locale: 'en',
    fundingType: 'Net',
    managedWebhooks: false,
    unreferencedRefunds: { enabled: false },
  });
  const added = await provisioning.addPaymentMethods(
    actor,
    merchant.id,
    Array.from({ length: terminals }, (_, lane) => ({
      type: 'Physical' as const,
      currency: 'USD' as const,
      description: `Lane ${lane}`,
      isDefault: false,
    })),
  );
  const known = { ...merchant, paymentMethods: [...merchant.paymentMethods, ...added] };
  const free = added.map(({ id }) => id);
  return {
    /** Makes a sale on a free terminal; throws unless it is answered. */
    async sell(): Promise<void> {
      const paymentMethodId = free.pop();
      if (paymentMethodId === undefined)
        throw new Error('a terminal serves one sale at a time: there are too few');
      const context = { merchant: known, actor, traceId: randomBytes(16).toString('hex') };
      const { kind } = await payments.physicalSale(context, { amount: 1_250, paymentMethodId });
      free.push(paymentMethodId);
      if (kind !== 'Answered') throw new Error(`a sale was ${kind}`);
    },
    close: () => adapters.close(),
  };
}
