import type { EventStore } from '@tillstream/event-store';
import { vaultSecretSealer, WebhookEndpointRegistry, type Clock } from '@tillstream/payments';
import type { Vault } from '@tillstream/vault';
import { newLegacySecret, newManagedSecret } from '@tillstream/webhooks';
import type { Config } from '../configuration/config.js';
import { deliveryAddresses } from './delivery.addresses.js';

export function createWebhookEndpoints(
  config: Pick<Config, 'mode' | 'webhookAllowedSubnets'>,
  { store, clock, vault }: { readonly store: EventStore; readonly clock: Clock; readonly vault: Vault },
): WebhookEndpointRegistry {
  return new WebhookEndpointRegistry({
    ...{ store, clock, mode: config.mode },
    sealer: vaultSecretSealer(vault),
    newSecret: (method) => (method === 'Managed' ? newManagedSecret() : newLegacySecret()),
    addresses: deliveryAddresses(config),
  });
}
