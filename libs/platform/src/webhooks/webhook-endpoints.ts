import type { EventStore } from '@tillstream/event-store';
import { vaultSecretSealer, WebhookEndpointRegistry, type Clock } from '@tillstream/payments';
import type { Vault } from '@tillstream/vault';
import { AllowedAddresses } from '@tillstream/webhook-delivery';
import { newLegacySecret, newManagedSecret } from '@tillstream/webhooks';
import type { Config } from '../configuration/config.js';

/** The sandbox delivers to this machine: a developer's receiver runs there. */
const LOOPBACK = ['127.0.0.0/8', '::1/128'];

type WebhookSettings = Pick<Config, 'mode' | 'webhookAllowedSubnets'>;

/** The addresses that webhooks may be sent to. */
export function allowedWebhookAddresses({ mode, webhookAllowedSubnets }: WebhookSettings): AllowedAddresses {
  return new AllowedAddresses(webhookAllowedSubnets ?? (mode === 'sandbox' ? LOOPBACK : []));
}

export function createWebhookEndpoints(
  config: WebhookSettings,
  { store, clock, vault }: { readonly store: EventStore; readonly clock: Clock; readonly vault: Vault },
): WebhookEndpointRegistry {
  return new WebhookEndpointRegistry({
    ...{ store, clock, mode: config.mode },
    sealer: vaultSecretSealer(vault),
    newSecret: (method) => (method === 'Managed' ? newManagedSecret() : newLegacySecret()),
    addresses: allowedWebhookAddresses(config),
  });
}
