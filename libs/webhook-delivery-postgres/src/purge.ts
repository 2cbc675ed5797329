import { sql } from 'kysely';
import type { Postgres, PostgresSession } from '@tillstream/postgres-driver';
import { StatusNumber } from '@tillstream/webhook-delivery';
import { build, statement } from './deliveries.tables.js';
import { lockEndpoints, refreshDue } from './endpoint.locks.js';

/** Rows of one step, one transaction of some ms. */
const STEP_ROWS = 200;

/** One step. Returns the number of rows that it changed. */
export async function purgeStep(database: Postgres, bodiesBefore: number): Promise<number> {
  const old = await database.all(oldBodies(bodiesBefore));
  if (old.length > 0)
    return deleteBodies(
      database,
      old.map(({ event }) => event),
    );
  const [removed] = await database.all(
    build
      .selectFrom('webhook_endpoints')
      .select('number')
      .where(sql<boolean>`removed`)
      .limit(1),
  );
  if (removed) return database.transaction((session) => deleteRemoved(session, removed.number));
  const [outdated] = await database.all(withOutdated());
  if (!outdated) return 0;
  return database.transaction(async (session) => {
    const locked = await lockEndpoints(session, [outdated.number]);
    return stopDeliveries(
      session,
      locked.map(({ number }) => number),
    );
  });
}

function oldBodies(before: number) {
  return build
    .selectFrom('webhook_bodies')
    .select('event')
    .where('at', '<', before)
    .orderBy('at')
    .limit(STEP_ROWS);
}

/**
 * `offset 0` keeps the planner from joining the two: before it knows how few deliveries an event has, it takes reading all of
 * them for faster.
 */
function deliveriesOf(events: readonly number[]) {
  return statement(sql<{ readonly number: number; readonly endpoint: number }>`
    select d.number, d.endpoint from unnest(${events}::bigint[]) as old(event)
      cross join lateral (select number, endpoint from webhook_deliveries where event = old.event offset 0) d`);
}

/** With the answers to their deliveries. What still waits is `Exhausted`. */
function deleteBodies(database: Postgres, events: readonly number[]): Promise<number> {
  return database.transaction(async (session) => {
    const of = await session.all(deliveriesOf(events));
    const locked = await lockEndpoints(session, [...new Set(of.map(({ endpoint }) => endpoint))]);
    const deleted = await session.run(build.deleteFrom('webhook_bodies').where('event', 'in', events));
    if (of.length === 0) return deleted;
    const numbers = of.map(({ number }) => number);
    const answered = build.updateTable('webhook_attempts').set({ answer: null });
    await session.run(answered.where('delivery', 'in', numbers).where('answer', 'is not', null));
    const ended = { status: StatusNumber.Exhausted, due_at: null };
    const waiting = build.updateTable('webhook_deliveries').set(ended).where('number', 'in', numbers);
    const stopped = await session.run(waiting.where('due_at', 'is not', null));
    if (stopped > 0) {
      await refreshDue(
        session,
        locked.map(({ number }) => number),
      );
    }
    return deleted;
  });
}

async function deleteRemoved(session: PostgresSession, endpoint: number): Promise<number> {
  await lockEndpoints(session, [endpoint]);
  const of = build.selectFrom('webhook_deliveries').select('number').where('endpoint', '=', endpoint);
  const numbers = (await session.all(of.limit(STEP_ROWS))).map(({ number }) => number);
  if (numbers.length === 0)
    return session.run(build.deleteFrom('webhook_endpoints').where('number', '=', endpoint));
  await session.run(build.deleteFrom('webhook_attempts').where('delivery', 'in', numbers));
  await session.run(build.deleteFrom('webhook_claims').where('delivery', 'in', numbers));
  return session.run(build.deleteFrom('webhook_deliveries').where('number', 'in', numbers));
}

/**
 * Due, but of another `enabled_at` than that of their endpoint `e`, or of a disabled one: never sent. The order is that of
 * the index; without one the planner may read all deliveries to find the first.
 */
const OUTDATED = sql`d.endpoint = e.number and d.due_at is not null
  and d.enabled_at < e.enabled_at + case when e.enabled then 0 else 1 end order by d.enabled_at`;

/** An endpoint that was disabled or enabled anew, with deliveries that are still marked as due. */
function withOutdated() {
  return statement(sql<{ readonly number: number }>`
    select e.number from webhook_endpoints e
      cross join lateral (select from webhook_deliveries d where ${OUTDATED} limit 1) outdated
    limit 1`);
}

/**
 * Marks deliveries of locked endpoints that are disabled, or from before they were enabled again, as `Exhausted`: a step of
 * them for each endpoint. Returns their number.
 */
export async function stopDeliveries(
  session: PostgresSession,
  endpoints: readonly number[],
): Promise<number> {
  if (endpoints.length === 0) return 0;
  return session.run(
    statement(sql`
      update webhook_deliveries set status = ${StatusNumber.Exhausted}, due_at = null
      from webhook_endpoints e
        cross join lateral (select d.number from webhook_deliveries d where ${OUTDATED} limit ${STEP_ROWS}) outdated
      where e.number = any(${endpoints}::bigint[]) and webhook_deliveries.number = outdated.number`),
  );
}
