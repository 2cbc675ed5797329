import { sql } from 'kysely';
import type { PostgresSession } from '@tillstream/postgres-driver';
import {
  afterAttempt,
  FinishedResults,
  type AttemptedDelivery,
  type AttemptResult,
  type ClaimResults,
  type Finished,
  type StoredHealth,
} from '@tillstream/webhook-delivery';
import { build, statement } from './deliveries.tables.js';
import { lockEndpoints, refreshDue, type LockedEndpoint } from './endpoint.locks.js';

/** A delivery whose claim this transaction has ended. */
interface EndedClaim extends AttemptedDelivery {
  readonly number: number;
  readonly deliveryId: string;
  readonly endpoint: number;
  readonly token: string;
}

/** Writes the results of deliveries that are still claimed under their token. */
export async function finishAttempts(
  session: PostgresSession,
  results: readonly ClaimResults[],
): Promise<Finished[]> {
  const claims = results.flatMap(({ token, results: ofClaim }) =>
    ofClaim.map(({ deliveryId }) => ({ token, deliveryId })),
  );
  const endpoints =
    claims.length === 0 ? [] : await lockEndpoints(session, await endpointsOf(session, claims));
  if (endpoints.length === 0) return results.map(() => new FinishedResults().finished);
  const ended = await endClaims(session, claims);
  const { finished, written, health } = collect(results, endpoints, ended);
  await writeAttempts(session, written);
  await writeHealth(session, endpoints, health);
  await refreshDue(
    session,
    endpoints.map(({ number }) => number),
  );
  return finished;
}

interface NamedClaim {
  readonly token: string;
  readonly deliveryId: string;
}

async function endpointsOf(session: PostgresSession, claims: readonly NamedClaim[]): Promise<number[]> {
  const rows = await session.all(
    build
      .selectFrom('webhook_deliveries')
      .select('endpoint')
      .distinct()
      .where(
        'delivery_id',
        'in',
        claims.map(({ deliveryId }) => deliveryId),
      ),
  );
  return rows.map(({ endpoint }) => endpoint);
}

function endClaims(session: PostgresSession, claims: readonly NamedClaim[]): Promise<EndedClaim[]> {
  const ids = claims.map(({ deliveryId }) => deliveryId);
  const tokens = claims.map(({ token }) => token);
  return session.all(
    statement(sql<EndedClaim>`
      delete from webhook_claims c
      using unnest(${ids}::text[], ${tokens}::text[]) as named(delivery_id, token), webhook_deliveries d
      where d.delivery_id = named.delivery_id collate "C" and c.delivery = d.number and c.token = named.token
      returning d.number, d.delivery_id as "deliveryId", d.endpoint, d.replay_of as "replayOf",
        c.replayed_at as "replayedAt", c.token`),
  );
}

interface WrittenResult {
  readonly claim: EndedClaim;
  readonly result: AttemptResult;
}

interface Collected {
  readonly finished: Finished[];
  readonly written: readonly WrittenResult[];
  /** By endpoint's number, of those that have results. */
  readonly health: ReadonlyMap<number, StoredHealth>;
}

function collect(
  results: readonly ClaimResults[],
  endpoints: readonly LockedEndpoint[],
  ended: readonly EndedClaim[],
): Collected {
  const claims = new Map(ended.map((claim) => [`${claim.token} ${claim.deliveryId}`, claim]));
  const idOf = new Map(endpoints.map(({ number, endpointId }) => [number, endpointId]));
  const numberOf = new Map(endpoints.map(({ number, endpointId }) => [endpointId, number]));
  const health = new Map<number, StoredHealth>(endpoints.map((one) => [one.number, one]));
  const written: WrittenResult[] = [];
  const finished = results.map(({ token, results: ofClaim }) => {
    const ofToken = new FinishedResults();
    for (const result of ofClaim) {
      const name = `${token} ${result.deliveryId}`;
      const claim = claims.get(name);
      const endpointId = claim && idOf.get(claim.endpoint);
      const stored = claim && health.get(claim.endpoint);
      if (endpointId === undefined || !stored) continue;
      claims.delete(name);
      ofToken.add(endpointId, stored, result, claim.replayOf !== null);
      written.push({ claim, result });
    }
    for (const [endpointId, after] of ofToken.health) health.set(numberOf.get(endpointId) ?? 0, after);
    return ofToken.finished;
  });
  return { finished, written, health };
}

async function writeAttempts(session: PostgresSession, written: readonly WrittenResult[]): Promise<void> {
  if (written.length === 0) return;
  const attempts = written.map(({ claim: { number: delivery }, result: { attempt } }) => {
    const { at, durationMs, status = null, answer = null, error = null } = attempt;
    return { delivery, at, status, duration_ms: durationMs, answer, error };
  });
  await session.run(build.insertInto('webhook_attempts').values(attempts));
  const numbers = written.map(({ claim }) => claim.number);
  const after = written.map(({ claim, result }) => afterAttempt(claim, result.outcome));
  const statuses = after.map(({ status }) => status);
  const dueAts = after.map(({ dueAt }) => dueAt);
  const replayOfs = after.map(({ replayOf }) => replayOf);
  const counted = after.map((one) => one.counted);
  await session.run(
    statement(sql`
      update webhook_deliveries d
      set status = ended.status, due_at = ended.due_at, replay_of = ended.replay_of,
        attempts = d.attempts + ended.counted
      from unnest(${numbers}::bigint[], ${statuses}::smallint[], ${dueAts}::bigint[], ${replayOfs}::smallint[],
          ${counted}::integer[]) as ended(number, status, due_at, replay_of, counted)
      where d.number = ended.number`),
  );
}

async function writeHealth(
  session: PostgresSession,
  endpoints: readonly LockedEndpoint[],
  health: ReadonlyMap<number, StoredHealth>,
): Promise<void> {
  for (const { number, failingSince, exhausted } of endpoints) {
    const after = health.get(number);
    if (!after || (after.failingSince === failingSince && after.exhausted === exhausted)) continue;
    const values = { failing_since: after.failingSince, exhausted: after.exhausted };
    await session.run(build.updateTable('webhook_endpoints').set(values).where('number', '=', number));
  }
}
