import type { WebhookEndpointRegistry } from '@tillstream/payments';
import { EndpointDeliveries } from '@tillstream/webhook-delivery';
import type { Config } from '../configuration/config.js';
import { loadResponseKey } from '../idempotency/response.sealer.js';
import type { Stores } from '../stores/stores.js';
import { deliverySealer } from './delivery.seals.js';

/** The deliveries of managed and legacy endpoints, for a command. Rejects with `StoreNotFound` if there are none yet. */
export async function openEndpointDeliveries(
  { answerKey, dataDir }: Pick<Config, 'answerKey' | 'dataDir'>,
  stores: Pick<Stores, 'deliveries' | 'clock'>,
  endpoints: WebhookEndpointRegistry,
): Promise<EndpointDeliveries> {
  const deliveries = await stores.deliveries();
  return new EndpointDeliveries({
    findEndpoint: async ({ merchantId, endpointId }) =>
      (await endpoints.find(merchantId, 'Managed', endpointId)) ??
      (await endpoints.find(merchantId, 'Legacy', endpointId)),
    ...{ deliveries, clock: await stores.clock() },
    sealer: deliverySealer(loadResponseKey(answerKey, dataDir)),
  });
}
