import { ConsumerGroup, LeadingTask } from '@tillstream/event-consumers';
import { consumerLog, vaultSecretSealer } from '@tillstream/payments';
import {
  createWebhookEndpoints,
  deliveryAddresses,
  scrub,
  type Config,
  type DispatcherAdapters,
  type Log,
  type MetricsRegistry,
} from '@tillstream/platform';
import {
  ANSWER_BYTES_MAX,
  BODY_LIFETIME_MS,
  defaultSendingLimits,
  DeliverySender,
  NumberingConsumer,
  type EndpointDisablerOptions,
  type SenderOptions,
} from '@tillstream/webhook-delivery';
import { DeliveryClient } from '@tillstream/webhook-delivery/client';
import { cachedSecrets } from './cached.secrets.js';
import { DispatcherReports } from './dispatcher.reports.js';
import { WebhookMetrics } from './webhook.metrics.js';

/** The process that holds it numbers the events; all processes send. */
const NUMBERING_LEASE = 'webhooks';
const PURGE_EVERY_MS = 2_000;
const PER_MERCHANT_SHARE = 0.25;
/** Shorter than the API waits for this process. What is in flight then is sent again by the next process. */
const STOP_WITHIN_MS = 8_000;

export interface Dispatcher {
  start(): void;
  /** Waits for attempts in flight, for a bounded time. Never rejects. */
  stop(): Promise<void>;
}

/** Numbers events while this process leads, and sends what is due. */
export function createDispatcher(
  config: Config,
  adapters: DispatcherAdapters,
  { log, metrics: registry }: { readonly log: Log; readonly metrics: MetricsRegistry },
): Dispatcher {
  const { store, clock, leases, deliveries, deliverySealer: sealer } = adapters;
  const client = new DeliveryClient({ allowed: deliveryAddresses(config) });
  const metrics = new WebhookMetrics(registry);
  const reports = new DispatcherReports(log, metrics);
  const sender = new DeliverySender(senderOptions(config, adapters, client, reports));
  const numbering = new NumberingConsumer({
    ...{ store, tables: deliveries, sealer },
    now: () => clock.now(),
    onDeliveries: () => sender.wake(),
  });
  const groupLog = consumerLog(log, 'webhooks');
  const purging = new LeadingTask(
    {
      name: 'webhook bodies',
      everyMs: PURGE_EVERY_MS,
      run: async () => ((await deliveries.purge(clock.now() - BODY_LIFETIME_MS)) > 0 ? 'More' : 'Idle'),
    },
    groupLog,
  );
  const group = new ConsumerGroup({
    ...{ store, leases, lease: NUMBERING_LEASE },
    ...{ consumers: [numbering], tasks: [purging], log: groupLog },
  });
  metrics.watch({
    ...{ deliveries, store, now: () => clock.now() },
    inFlight: () => sender.inFlight,
    numbering: async () => (await group.status())[0],
  });
  return {
    start() {
      void group.start();
      sender.start();
    },
    async stop() {
      await Promise.all([group.stop(), sender.stop(STOP_WITHIN_MS)]);
      await client.close();
    },
  };
}

function senderOptions(
  config: Config,
  adapters: DispatcherAdapters,
  client: DeliveryClient,
  reports: DispatcherReports,
): SenderOptions {
  const { clock, deliveries, deliverySealer: sealer, vault, version } = adapters;
  const secrets = vaultSecretSealer(vault);
  const { perEndpoint } = defaultSendingLimits;
  return {
    ...{ client, clock, queue: deliveries },
    seals: {
      openSecret: cachedSecrets((endpointId, sealed) => secrets.open(endpointId, sealed)),
      openBody: (eventId, sealed) => sealer.openBody(eventId, sealed),
      sealAnswer: (deliveryId, answer) => sealer.sealAnswer(deliveryId, answer),
    },
    userAgent: `Tillstream-Webhooks/${version}`,
    random: () => Math.random(),
    redact: (text) => scrub(text, ANSWER_BYTES_MAX),
    disabling: disablingOptions(config, adapters, reports),
    health: reports.health,
    attempted: reports.attempted,
    log: reports.sending,
    limits: {
      total: config.webhookConcurrency,
      perMerchant: Math.max(perEndpoint, Math.floor(config.webhookConcurrency * PER_MERCHANT_SHARE)),
      perEndpoint,
    },
  };
}

function disablingOptions(
  config: Config,
  adapters: DispatcherAdapters,
  { disabling }: DispatcherReports,
): EndpointDisablerOptions {
  const registry = createWebhookEndpoints(config, adapters);
  return {
    disable: ({ id: endpointId, merchantId, url, enabledAt }, reason) =>
      registry.disable(merchantId, {
        ...{ endpointId, reason, url },
        ...(enabledAt !== undefined && { enabledAt }),
      }),
    log: disabling,
  };
}
