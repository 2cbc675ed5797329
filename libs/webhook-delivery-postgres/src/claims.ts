import { sql } from 'kysely';
import type { Postgres, PostgresSession } from '@tillstream/postgres-driver';
import {
  StatusNumber,
  toClaimedDelivery,
  type ClaimedBatch,
  type ClaimedDelivery,
  type ClaimRequest,
  type DeliveryEndpoint,
  type DueRow,
} from '@tillstream/webhook-delivery';
import { build, IS_WAITING, statement } from './deliveries.tables.js';
import { lockEndpoints, lockFreeEndpoints, refreshDue, UNCLAIMED } from './endpoint.locks.js';

/** Claims of one look. */
const EXPIRED_MAX = 500;

/** Enabled endpoints with a due delivery that is not claimed, the longest due first. */
export function dueEndpoints(now: number, limit: number) {
  return build
    .selectFrom('webhook_endpoints')
    .select('endpoint_id as id')
    .where(IS_WAITING)
    .where('next_due_at', '<=', now)
    .orderBy('next_due_at')
    .orderBy('number')
    .limit(limit);
}

export function nextDueTime() {
  return build
    .selectFrom('webhook_endpoints')
    .select('next_due_at as at')
    .where(IS_WAITING)
    .orderBy('next_due_at')
    .limit(1);
}

function expiredClaims(real: number) {
  return build
    .selectFrom('webhook_claims')
    .select('endpoint')
    .where('until', '<=', real)
    .orderBy('until')
    .limit(EXPIRED_MAX);
}

/** Makes the deliveries of ended processes due again. */
export async function releaseExpired(database: Postgres, real: number): Promise<void> {
  const expired = await database.all(expiredClaims(real));
  if (expired.length === 0) return;
  await database.transaction(async (session) => {
    const endpoints = await lockEndpoints(session, [...new Set(expired.map(({ endpoint }) => endpoint))]);
    await deleteExpired(
      session,
      endpoints.map(({ number }) => number),
      real,
    );
  });
}

async function deleteExpired(
  session: PostgresSession,
  locked: readonly number[],
  real: number,
): Promise<void> {
  if (locked.length === 0) return;
  const ended = build.deleteFrom('webhook_claims').where('endpoint', 'in', locked);
  if ((await session.run(ended.where('until', '<=', real))) > 0) await refreshDue(session, locked);
}

interface ClaimableEndpoint {
  readonly number: number;
  readonly enabledAt: number;
  readonly endpoint: DeliveryEndpoint;
}

/**
 * Claims for each request, under the locks of its endpoints. Endpoints that another process has locked are left out: they
 * stay due.
 * @param isRepeat an earlier run of this transaction may have been committed: its claims are answered again
 */
export async function claimAll(
  session: PostgresSession,
  requests: readonly ClaimRequest[],
  isRepeat: boolean,
): Promise<ClaimedBatch[][]> {
  const ids = [...new Set(requests.flatMap(({ endpointIds }) => endpointIds))];
  if (ids.length === 0) return requests.map(() => []);
  const locked = new Map((await lockFreeEndpoints(session, ids)).map((one) => [one.endpoint.id, one]));
  const numbers = [...locked.values()].map(({ number }) => number);
  await deleteExpired(session, numbers, Math.min(...requests.map(({ now }) => now.real)));
  const claimed: ClaimedBatch[][] = [];
  for (const request of requests) {
    const held = isRepeat ? await heldBatches(session, request) : [];
    claimed.push(held.length > 0 ? held : await claimDue(session, request, locked));
  }
  await refreshDue(session, numbers);
  return claimed;
}

interface ClaimableRow extends DueRow {
  readonly endpoint: number;
}

async function claimDue(
  session: PostgresSession,
  request: ClaimRequest,
  locked: ReadonlyMap<string, ClaimableEndpoint>,
): Promise<ClaimedBatch[]> {
  const { endpointIds, token, now, leaseMs } = request;
  const endpoints = endpointIds.flatMap((id) => locked.get(id) ?? []);
  if (endpoints.length === 0) return [];
  const rows = await session.all(dueRows(request, endpoints));
  const claimed = rows.filter(({ body }) => body !== null);
  if (claimed.length > 0) {
    const [deliveries, of] = [claimed.map(({ number }) => number), claimed.map(({ endpoint }) => endpoint)];
    await session.run(
      statement(sql`
        insert into webhook_claims (delivery, endpoint, token, until)
        select delivery, endpoint, ${token}, ${now.real + leaseMs}::bigint
        from unnest(${deliveries}::bigint[], ${of}::bigint[]) as claimed(delivery, endpoint)`),
    );
  }
  const bodiless = rows.filter(({ body }) => body === null).map(({ number }) => number);
  if (bodiless.length > 0) {
    const ended = { status: StatusNumber.Exhausted, due_at: null, replay_of: null };
    await session.run(build.updateTable('webhook_deliveries').set(ended).where('number', 'in', bodiless));
  }
  return toBatches(endpoints, claimed);
}

const DUE_COLUMNS = sql`d.number, d.delivery_id as "deliveryId", v.event_id as "eventId", d.hook_id as "hookId", d.type,
  d.hook_sequence as "hookSequence", d.attempts, d.replay_of as "replayOf", d.endpoint, b.body`;

/** The first of each endpoint by an index, as far as its claims leave places, and the first `limit` of all. */
function dueRows(
  { perEndpointMax, limit, now }: Pick<ClaimRequest, 'perEndpointMax' | 'limit' | 'now'>,
  endpoints: readonly ClaimableEndpoint[],
) {
  const numbers = endpoints.map(({ number }) => number);
  const enabledAts = endpoints.map(({ enabledAt }) => enabledAt);
  return statement(sql<ClaimableRow>`
    with due as materialized (
      select first.number, e.place
      from unnest(${numbers}::bigint[], ${enabledAts}::bigint[]) with ordinality as e(number, enabled_at, place)
        cross join lateral (
          select d.number, d.due_at from webhook_deliveries d
          where d.endpoint = e.number and d.enabled_at = e.enabled_at and d.due_at <= ${now.service} and ${UNCLAIMED}
          order by d.due_at, d.number
          limit greatest(0, ${perEndpointMax}::bigint
            - (select count(*) from webhook_claims c where c.endpoint = e.number))
        ) first
      order by e.place, first.due_at, first.number limit ${limit}
    )
    select ${DUE_COLUMNS}
    from due join webhook_deliveries d on d.number = due.number
      join webhook_events v on v.number = d.event left join webhook_bodies b on b.event = d.event
    order by due.place, d.due_at, d.number`);
}

/** The deliveries that were claimed under the token, with their endpoints. */
async function heldBatches(
  session: PostgresSession,
  { endpointIds, token }: ClaimRequest,
): Promise<ClaimedBatch[]> {
  const endpoints = await session.all(
    build
      .selectFrom('webhook_endpoints')
      .select(['number', 'enabled_at as enabledAt', 'endpoint'])
      .where('endpoint_id', 'in', endpointIds)
      .where('enabled', '=', true),
  );
  const numbers = endpoints.map(({ number }) => number);
  const rows = await session.all(
    statement(sql<ClaimableRow>`
      select ${DUE_COLUMNS}
      from webhook_claims c join webhook_deliveries d on d.number = c.delivery
        join webhook_events v on v.number = d.event join webhook_bodies b on b.event = d.event
      where c.endpoint = any(${numbers}::bigint[]) and c.token = ${token}
      order by d.due_at, d.number`),
  );
  const byId = new Map(endpoints.map((one) => [one.endpoint.id, one]));
  return toBatches(
    endpointIds.flatMap((id) => byId.get(id) ?? []),
    rows,
  );
}

/** In the order of the endpoints. */
function toBatches(endpoints: readonly ClaimableEndpoint[], rows: readonly ClaimableRow[]): ClaimedBatch[] {
  const byEndpoint = new Map<number, ClaimedDelivery[]>();
  for (const { endpoint, ...row } of rows) {
    const delivery = toClaimedDelivery(row);
    if (!delivery) continue;
    const batch = byEndpoint.get(endpoint);
    if (batch) batch.push(delivery);
    else byEndpoint.set(endpoint, [delivery]);
  }
  return endpoints.flatMap(({ number, endpoint }) => {
    const deliveries = byEndpoint.get(number);
    return deliveries ? [{ endpoint, deliveries }] : [];
  });
}

/** Gives claims back unsent. A stale token changes nothing. */
export async function releaseClaims(
  session: PostgresSession,
  token: string,
  deliveryIds: readonly string[],
): Promise<void> {
  const named = build
    .selectFrom('webhook_claims as c')
    .innerJoin('webhook_deliveries as d', 'd.number', 'c.delivery')
    .select(['c.delivery', 'c.endpoint'])
    .where('d.delivery_id', 'in', deliveryIds)
    .where('c.token', '=', token);
  const found = deliveryIds.length === 0 ? [] : await session.all(named);
  const locked = await lockEndpoints(session, [...new Set(found.map(({ endpoint }) => endpoint))]);
  if (locked.length === 0) return;
  const deliveries = found.map(({ delivery }) => delivery);
  const ended = build.deleteFrom('webhook_claims').where('delivery', 'in', deliveries);
  await session.run(ended.where('token', '=', token));
  await refreshDue(
    session,
    locked.map(({ number }) => number),
  );
}
