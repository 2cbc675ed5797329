/* The types of webhook events, and which of them an endpoint subscribes to (`docs/spec/webhooks.md#event-catalog`). */

export const TRANSACTION_EVENT_TYPES = [
  'sale.completed',
  'auth.completed',
  'capture.completed',
  'refund.completed',
  'void.completed',
] as const;

export const TOKEN_EVENT_TYPES = ['token.created', 'token.updated', 'token.removed'] as const;

/** Only managed endpoints get these. */
export const LIFECYCLE_EVENT_TYPES = [
  'merchant.application.started',
  'merchant.application.info_uploaded',
  'merchant.application.requires_action',
  'merchant.application.submitted',
  'merchant.application.status_changed',
  'merchant.approved',
  'merchant.rejected',
  'pricing_template.approved',
  'pricing_template.rejected',
] as const;

/** An endpoint gets these only if it names them: `*` does not include them. */
export const OPT_IN_EVENT_TYPES = ['payment.returned'] as const;

/** Stands for all types of the endpoint's method, except the opt-in ones. */
export const ALL_EVENT_TYPES = '*';

export type WebhookMethod = 'Managed' | 'Legacy';

export type WebhookEventType =
  | (typeof TRANSACTION_EVENT_TYPES)[number]
  | (typeof TOKEN_EVENT_TYPES)[number]
  | (typeof LIFECYCLE_EVENT_TYPES)[number]
  | (typeof OPT_IN_EVENT_TYPES)[number];

const BOTH_METHODS = [...TRANSACTION_EVENT_TYPES, ...TOKEN_EVENT_TYPES, ...OPT_IN_EVENT_TYPES] as const;

/** The types that an endpoint of this method can name, without `*`. */
export const EVENT_TYPES_OF: Readonly<Record<WebhookMethod, readonly WebhookEventType[]>> = {
  Managed: [
    ...TRANSACTION_EVENT_TYPES,
    ...TOKEN_EVENT_TYPES,
    ...LIFECYCLE_EVENT_TYPES,
    ...OPT_IN_EVENT_TYPES,
  ],
  Legacy: BOTH_METHODS,
};

/** True if an endpoint of this method that names `subscribed` gets events of this type. */
export function subscribesTo(
  { method, eventTypes }: { readonly method: WebhookMethod; readonly eventTypes: readonly string[] },
  type: WebhookEventType,
): boolean {
  if (!EVENT_TYPES_OF[method].includes(type)) return false;
  if (eventTypes.includes(type)) return true;
  const isOptIn = (OPT_IN_EVENT_TYPES as readonly string[]).includes(type);
  return !isOptIn && eventTypes.includes(ALL_EVENT_TYPES);
}
