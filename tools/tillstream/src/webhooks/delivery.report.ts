import type { WebhookDelivery, WebhookDeliveryStatus } from '@tillstream/contracts';
import { formatCount } from '@tillstream/platform/command-line';

export type DeliveryCounts = Readonly<Partial<Record<WebhookDeliveryStatus, number>>>;

export function countLine(counts: DeliveryCounts): string {
  return Object.entries(counts)
    .map(([status, count]) => `${status} ${formatCount(count)}`)
    .join(', ');
}

export function deliveryLine({
  id,
  status,
  eventType,
  eventId,
  createdAt,
  nextTryAt,
  tries,
}: WebhookDelivery): string {
  const next = nextTryAt === undefined ? '' : `  next ${nextTryAt}`;
  const last = tries.at(-1);
  const result = last === undefined ? '' : `, the last one: ${last.error ?? last.status}`;
  return `${id}  ${status.padEnd(9)}  ${eventType}  ${eventId}  ${createdAt}  attempts ${tries.length}${result}${next}`;
}

/** With one line for each attempt, and what the endpoint answered. */
export function deliveryText(delivery: WebhookDelivery): string {
  const attempts = delivery.tries.map(({ at, status, durationMs, error, answer }) => {
    const answered = answer === undefined ? '' : `\n    ${answer.replace(/[\p{Cc}\s]+/gu, ' ')}`;
    return `  ${at}  ${status ?? 'no answer'}  ${durationMs} ms${error === undefined ? '' : `  ${error}`}${answered}`;
  });
  return [deliveryLine(delivery), `  hook-id ${delivery.hookId}`, ...attempts].join('\n');
}
