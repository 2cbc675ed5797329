import { sql } from 'kysely';
import type { Postgres } from '@tillstream/postgres-driver';
import type { DeliveryMeasures, EndpointHealth } from '@tillstream/webhook-delivery';
import { nextDueTime } from './claims.js';
import { IS_WAITING, statement } from './deliveries.tables.js';
import { UNCLAIMED } from './endpoint.locks.js';

/** Endpoints whose deliveries are counted: those with the longest due ones. */
const ENDPOINTS_MAX = 1_000;

/** Counts by an index until `max`, and no further. */
export function waiting(when: 'Due' | 'Later', now: number, max: number) {
  const isThen = when === 'Due' ? sql`d.due_at <= ${now}` : sql`d.due_at > ${now}`;
  return statement(sql<{ readonly count: number }>`
    select count(*) as count from (
      select from (
        select number, enabled_at from webhook_endpoints
        where ${IS_WAITING} order by next_due_at, number limit ${ENDPOINTS_MAX}
      ) e cross join lateral (
        select from webhook_deliveries d
        where d.endpoint = e.number and d.enabled_at = e.enabled_at and ${isThen} and ${UNCLAIMED}
        order by d.due_at limit ${max}
      ) of_endpoint limit ${max}
    ) counted`);
}

interface HealthRow extends Readonly<Record<EndpointHealth, number>> {
  readonly failingSince: number | null;
}

const HEALTH = statement(sql<HealthRow>`
  select count(*) filter (where enabled and failing_since is null) as "Well",
    count(*) filter (where enabled and failing_since is not null) as "Failing",
    count(*) filter (where not enabled and endpoint ->> 'disabledReason' is null) as "Disabled",
    count(*) filter (where not enabled and endpoint ->> 'disabledReason' = 'Gone') as "DisabledGone",
    count(*) filter (where not enabled and endpoint ->> 'disabledReason' = 'Failing') as "DisabledFailing",
    min(failing_since) filter (where enabled) as "failingSince"
  from webhook_endpoints where not removed`);

export async function measure(
  database: Pick<Postgres, 'all'>,
  now: number,
  countMax: number,
): Promise<DeliveryMeasures> {
  const [due] = await database.all(waiting('Due', now, countMax));
  const [later] = await database.all(waiting('Later', now, countMax));
  const [next] = await database.all(nextDueTime());
  const [health] = await database.all(HEALTH);
  if (!health) throw new Error('a count has no row');
  const { failingSince, ...endpoints } = health;
  const oldestDueAt = next?.at ?? null;
  return {
    ...{ due: due?.count ?? 0, later: later?.count ?? 0, endpoints },
    ...(oldestDueAt !== null && oldestDueAt <= now && { oldestDueAt }),
    ...(failingSince !== null && { failingSince }),
  };
}
