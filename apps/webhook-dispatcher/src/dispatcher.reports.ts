import type { Log } from '@tillstream/platform';
import type {
  AttemptResult,
  EndpointDisablerOptions,
  EndpointHealthLog,
  HealthChange,
  SenderLog,
} from '@tillstream/webhook-delivery';
import type { WebhookMetrics } from './webhook.metrics.js';

const HEALTH_EVENTS = {
  StartedFailing: { event: 'webhook-endpoint-failing', level: 'warn' },
  Exhausted: { event: 'webhook-endpoint-exhausted', level: 'warn' },
  Recovered: { event: 'webhook-endpoint-recovered', level: 'info' },
} as const satisfies Record<HealthChange, { readonly event: string; readonly level: 'info' | 'warn' }>;

/** What operators learn of the sending: log lines (`docs/operations.md#logs`) and metrics. */
export class DispatcherReports {
  constructor(
    private readonly log: Log,
    private readonly metrics: Pick<WebhookMetrics, 'attempted' | 'changed'>,
  ) {}

  readonly sending: SenderLog = {
    failing: (reason) => this.log.error('webhook-sending-failed', { reason }),
    recovered: () => this.log.info('webhook-sending-recovered'),
  };

  readonly health: EndpointHealthLog = {
    changed: ({ id, merchantId }, change) => {
      const { event, level } = HEALTH_EVENTS[change];
      this.log[level](event, { merchantId, subject: id });
      this.metrics.changed(change);
    },
  };

  readonly disabling: EndpointDisablerOptions['log'] = {
    disabled: ({ id, merchantId }, reason) => {
      this.log.warn('webhook-endpoint-disabled', { merchantId, subject: id, reason });
      this.metrics.changed(reason);
    },
    notDisabled: ({ id, merchantId }, reason) =>
      this.log.error('webhook-endpoint-not-disabled', { merchantId, subject: id, reason }),
  };

  readonly attempted = (result: AttemptResult): void => this.metrics.attempted(result);
}
