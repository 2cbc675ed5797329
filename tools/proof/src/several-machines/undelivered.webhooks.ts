import type { Rows } from '../support/deployment.js';
import type { WebhookReceiver } from '../webhooks/webhook.receiver.js';

const DESCRIBED_MAX = 3;

/**
 * The deliveries to these receivers that are not done. The demo merchant has an endpoint of its own, a page of the first
 * machine's API: while that API is killed, its deliveries fail and wait for minutes, as they should.
 */
const undeliveredTo = (receivers: readonly WebhookReceiver[]): string =>
  `webhook_deliveries d join webhook_endpoints e on e.number = d.endpoint
  where d.status <> 1 and e.endpoint ->> 'url' in (${receivers.map(({ url }) => `'${url}'`).join(', ')})`;

export async function countUndelivered(rows: Rows, receivers: readonly WebhookReceiver[]): Promise<number> {
  const [counted] = await rows<{ readonly count: number }>(
    `select count(*)::integer as count from ${undeliveredTo(receivers)}`,
  );
  return counted?.count ?? 0;
}

/** A text for each of the first ones: without it, only the database knows why they were not delivered. */
export async function describeUndelivered(
  rows: Rows,
  receivers: readonly WebhookReceiver[],
): Promise<readonly string[]> {
  const described = await rows<{ readonly text: string }>(`
    select format('%s to %s, status %s, next attempt at %s, %s attempts: %s', d.delivery_id, e.endpoint ->> 'url',
      d.status, d.due_at, d.attempts, (
        select string_agg(format('at %s in %s ms: %s', at, duration_ms, coalesce(error, status::text)), '; ' order by number)
        from webhook_attempts where delivery = d.number
      )) as text
    from ${undeliveredTo(receivers)} order by d.number limit ${DESCRIBED_MAX}`);
  return described.map(({ text }) => text);
}
