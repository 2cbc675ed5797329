export const WEBHOOK_DELIVERY_STATUSES = ['Pending', 'Succeeded', 'Failed', 'Exhausted'] as const;
export type WebhookDeliveryStatus = (typeof WEBHOOK_DELIVERY_STATUSES)[number];

/** One event for one endpoint, with its attempts (`docs/spec/webhooks.md#deliveries`). */
export interface WebhookDelivery {
  /** `dlv_…`. */
  id: string;
  /** `evt_…`. */
  eventId: string;
  eventType: string;
  /** `msg_…`. */
  hookId: string;
  status: WebhookDeliveryStatus;
  createdAt: string;
  nextTryAt?: string;
  /** Oldest first. */
  tries: WebhookTry[];
}

export interface WebhookTry {
  at: string;
  /** The HTTP status; null: there was no answer. */
  status: number | null;
  durationMs: number;
  /** The beginning of the answer. */
  answer?: string;
  /** Why it was no success. */
  error?: string;
}

export interface WebhookReplay {
  /** Deliveries that are sent again. */
  count: number;
}
