import { sql } from 'kysely';
import type { PostgresSession } from '@tillstream/postgres-driver';
import {
  BODY_LIFETIME_MS,
  isReplayed,
  StatusNumber,
  type DeliveryCursor,
  type ReplayResult,
  type ReplayRow,
  type ReplayStep,
  type TestDelivery,
} from '@tillstream/webhook-delivery';
import { build, statement } from './deliveries.tables.js';
import { lockEndpoint, refreshDue, type LockedEndpoint } from './endpoint.locks.js';
import { foundRow, toDeliveries } from './lists.js';

export async function replayDelivery(
  session: PostgresSession,
  endpointId: string,
  deliveryId: string,
  now: number,
): Promise<ReplayResult> {
  const endpoint = await lockEndpoint(session, endpointId);
  const find = async () => toDeliveries(await session.all(foundRow(endpointId, deliveryId)))[0];
  const found = await find();
  if (!endpoint || !found) return { kind: 'NotFound' };
  if (!(await hasBody(session, found.number, now))) return { kind: 'BodyDeleted' };
  if (!endpoint.enabled) return { kind: 'EndpointDisabled' };
  await makeDue(session, endpoint, [found.number], now);
  return { kind: 'Replayed', delivery: (await find()) ?? found };
}

/** A body that is too old may still be there, until a step of `purge` deletes it. */
async function hasBody(session: PostgresSession, delivery: number, now: number): Promise<boolean> {
  const body = build
    .selectFrom('webhook_deliveries as d')
    .innerJoin('webhook_bodies as b', 'b.event', 'd.event')
    .select('b.event')
    .where('d.number', '=', delivery)
    .where('b.at', '>=', now - BODY_LIFETIME_MS);
  return (await session.all(body)).length > 0;
}

/** A delivery of the schedule that waits is only tried earlier; any other gets one attempt beside the schedule. */
async function makeDue(
  session: PostgresSession,
  { number, enabledAt }: LockedEndpoint,
  deliveries: readonly number[],
  now: number,
): Promise<void> {
  const { Succeeded, Exhausted, Pending } = StatusNumber;
  await session.run(
    build
      .updateTable('webhook_deliveries')
      .set({
        ...{ due_at: now, enabled_at: enabledAt, status: Pending },
        replay_of: sql<
          number | null
        >`case when status in (${Succeeded}, ${Exhausted}) then status else replay_of end`,
      })
      .where('number', 'in', deliveries),
  );
  // The attempt in flight does not replace the one that is asked for.
  const claims = build.updateTable('webhook_claims').set({ replayed_at: now });
  await session.run(claims.where('delivery', 'in', deliveries));
  await refreshDue(session, [number]);
}

interface RangeRow extends DeliveryCursor, ReplayRow {}

/** Reads `limit` deliveries of the range, and replays those of them that it asks for. */
export async function replayRange(
  session: PostgresSession,
  { range, now, after, limit }: ReplayStep,
): Promise<{ readonly count: number; readonly next: DeliveryCursor | undefined }> {
  const endpoint = await lockEndpoint(session, range.endpointId);
  if (!endpoint?.enabled) return { count: 0, next: undefined };
  const isFailedOnly = 'failedSince' in range;
  const [from, to] = isFailedOnly ? [range.failedSince, Number.MAX_SAFE_INTEGER] : [range.from, range.to];
  const start = after ?? { createdAt: from - 1, number: Number.MAX_SAFE_INTEGER };
  const rows = await session.all(
    statement(sql<RangeRow>`
      select d.number, d.created_at as "createdAt", d.status, d.hook_sequence as "hookSequence",
        (d.due_at is not null and d.enabled_at < ${endpoint.enabledAt}) as "isOutdated",
        coalesce(
          (select b.at from webhook_bodies b where b.event = d.event) >= ${now - BODY_LIFETIME_MS}, false
        ) as "hasBody"
      from webhook_deliveries d
      where d.endpoint = ${endpoint.number} and (d.created_at, d.number) > (${start.createdAt}, ${start.number})
        and d.created_at <= ${to}
      order by d.created_at, d.number limit ${limit}`),
  );
  const chosen = rows.filter((row) => isReplayed(row, isFailedOnly)).map(({ number }) => number);
  if (chosen.length > 0) await makeDue(session, endpoint, chosen, now);
  const last = rows.length < limit ? undefined : rows.at(-1);
  return { count: chosen.length, next: last && { createdAt: last.createdAt, number: last.number } };
}

/** False if the endpoint is not known. A repeat adds nothing. */
export async function insertTest(session: PostgresSession, test: TestDelivery): Promise<boolean> {
  const endpoint = await lockEndpoint(session, test.endpointId);
  if (!endpoint) return false;
  const { eventId, deliveryId, hookId, type, at, body } = test;
  const event = build.insertInto('webhook_events').values({ event_id: eventId, type });
  const [inserted] = await session.all(
    event.onConflict((conflict) => conflict.column('event_id').doNothing()).returning('number'),
  );
  if (!inserted) return true;
  await session.run(build.insertInto('webhook_bodies').values({ event: inserted.number, at, body }));
  await session.run(
    build.insertInto('webhook_deliveries').values({
      ...{ delivery_id: deliveryId, endpoint: endpoint.number, event: inserted.number, hook_id: hookId },
      ...{ hook_sequence: null, type, created_at: at, enabled_at: endpoint.enabledAt },
      ...{ status: StatusNumber.Pending, due_at: at },
    }),
  );
  await refreshDue(session, [endpoint.number]);
  return true;
}
