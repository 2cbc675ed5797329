export const WEBHOOK_METHODS = ['Managed', 'Legacy'] as const;
export type WebhookMethod = (typeof WEBHOOK_METHODS)[number];

export const WEBHOOK_ENDPOINT_STATUSES = ['Enabled', 'Disabled'] as const;
export type WebhookEndpointStatus = (typeof WEBHOOK_ENDPOINT_STATUSES)[number];

export type WebhookDisabledReason = 'Gone' | 'Failing';

/** An address that gets a merchant's events (`docs/spec/webhooks.md#managed-endpoints`). */
export interface WebhookEndpoint {
  /** `whe_…`, of a legacy endpoint `whl_…`. */
  id: string;
  method: WebhookMethod;
  url: string;
  /** Types of events, or `*`. */
  eventTypes: string[];
  description?: string;
  status: WebhookEndpointStatus;
  /** Absent on an endpoint that the merchant or an operator disabled. */
  disabledReason?: WebhookDisabledReason;
  createdAt: string;
  updatedAt: string;
}

/** The response to a creation or rotation, the only ones that contain `secret`. */
export interface WebhookEndpointWithSecret extends WebhookEndpoint {
  secret: string;
}
