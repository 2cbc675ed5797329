import { AllowedAddresses } from '@tillstream/webhook-delivery';
import type { Config } from '../configuration/config.js';

const LOOPBACK = ['127.0.0.0/8', '::1'];

/** The addresses that webhooks may go to, by the settings. */
export function deliveryAddresses({
  mode,
  webhookAllowedSubnets,
}: Pick<Config, 'mode' | 'webhookAllowedSubnets'>): AllowedAddresses {
  return new AllowedAddresses(webhookAllowedSubnets ?? (mode === 'sandbox' ? LOOPBACK : []));
}
