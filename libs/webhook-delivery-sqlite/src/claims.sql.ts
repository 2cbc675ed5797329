import {
  afterAttempt,
  FinishedResults,
  StatusNumber,
  toClaimedDelivery,
  type AttemptedDelivery,
  type AttemptResult,
  type ClaimedBatch,
  type ClaimedDelivery,
  type ClaimRequest,
  type DeliveryEndpoint,
  type DueRow,
  type Finished,
} from '@tillstream/webhook-delivery';
import type { Statements } from './delivery.file.js';

const FIRST_DUE = `SELECT d.due_at FROM deliveries d INDEXED BY deliveries_due
  WHERE d.endpoint = endpoints.number AND d.enabled_at = endpoints.enabled_at AND d.due_at IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM claims c WHERE c.delivery = d.number)
  ORDER BY d.due_at, d.number LIMIT 1`;

/** Reads at most one delivery more than are claimed. */
export const REFRESH_DUE = `UPDATE endpoints SET next_due_at = (${FIRST_DUE}) WHERE number = ?`;

const DUE_ENDPOINTS = `SELECT endpoint_id AS id FROM endpoints INDEXED BY endpoints_due
  WHERE enabled = 1 AND next_due_at <= ? ORDER BY next_due_at, number LIMIT ?`;

export function dueEndpoints(
  sql: Statements,
  now: number,
  limit: number,
  exclude: ReadonlySet<string>,
): string[] {
  return sql
    .all<{ id: string }>(DUE_ENDPOINTS, now, limit + exclude.size)
    .map(({ id }) => id)
    .filter((id) => !exclude.has(id))
    .slice(0, limit);
}

export function nextDueAt(sql: Statements): number | undefined {
  return sql.get<{ at: number }>(
    `SELECT next_due_at AS at FROM endpoints INDEXED BY endpoints_due
      WHERE enabled = 1 AND next_due_at IS NOT NULL ORDER BY next_due_at LIMIT 1`,
  )?.at;
}

const EXPIRED_MAX = 500;

export function hasExpiredClaims(sql: Statements, real: number): boolean {
  return sql.get('SELECT 1 FROM claims WHERE until <= ? LIMIT 1', real) !== undefined;
}

/** Makes the deliveries of ended processes due again. */
export function releaseExpired(sql: Statements, real: number): void {
  const expired = sql.all<{ delivery: number; endpoint: number }>(
    'SELECT delivery, endpoint FROM claims WHERE until <= ? LIMIT ?',
    real,
    EXPIRED_MAX,
  );
  for (const { delivery } of expired) sql.run('DELETE FROM claims WHERE delivery = ?', delivery);
  for (const number of new Set(expired.map(({ endpoint }) => endpoint))) sql.run(REFRESH_DUE, number);
}

const DUE = `SELECT d.number, d.delivery_id AS deliveryId, v.event_id AS eventId, d.hook_id AS hookId, d.type,
    d.hook_sequence AS hookSequence, d.attempts, d.replay_of AS replayOf, b.body
  FROM deliveries d INDEXED BY deliveries_due
    JOIN events v ON v.number = d.event LEFT JOIN bodies b ON b.event = d.event
  WHERE d.endpoint = ? AND d.enabled_at = ? AND d.due_at <= ?
    AND NOT EXISTS (SELECT 1 FROM claims c WHERE c.delivery = d.number)
  ORDER BY d.due_at, d.number LIMIT ?`;
const CLAIM = 'INSERT INTO claims (delivery, endpoint, token, until) VALUES (?, ?, ?, ?)';

export function claimBatches(sql: Statements, request: ClaimRequest): ClaimedBatch[] {
  releaseExpired(sql, request.now.real);
  const claimed = claimedByEndpoint(sql);
  const batches: ClaimedBatch[] = [];
  let left = request.limit;
  for (const endpointId of request.endpointIds) {
    if (left <= 0) break;
    const batch = claimOf(sql, request, endpointId, { claimed, left });
    if (!batch) continue;
    batches.push(batch);
    left -= batch.deliveries.length;
  }
  return batches;
}

interface SendingEndpoint {
  readonly number: number;
  readonly endpoint: string;
  readonly enabledAt: number;
}

function claimOf(
  sql: Statements,
  { perEndpointMax, token, now, leaseMs }: ClaimRequest,
  endpointId: string,
  { claimed, left }: { readonly claimed: ReadonlyMap<number, number>; readonly left: number },
): ClaimedBatch | undefined {
  const row = sql.get<SendingEndpoint>(
    `SELECT number, endpoint, enabled_at AS enabledAt FROM endpoints WHERE endpoint_id = ? AND enabled = 1`,
    endpointId,
  );
  if (!row) return undefined;
  const { number, enabledAt } = row;
  const free = Math.min(perEndpointMax - (claimed.get(number) ?? 0), left);
  const due = free > 0 ? sql.all<DueRow>(DUE, number, enabledAt, now.service, free) : [];
  const deliveries: ClaimedDelivery[] = [];
  for (const one of due) {
    const delivery = toClaimedDelivery(one);
    if (delivery) {
      sql.run(CLAIM, one.number, number, token, now.real + leaseMs);
      deliveries.push(delivery);
    } else {
      sql.run(ENDED, StatusNumber.Exhausted, null, null, 0, one.number);
    }
  }
  sql.run(REFRESH_DUE, number);
  if (deliveries.length === 0) return undefined;
  return { endpoint: JSON.parse(row.endpoint) as DeliveryEndpoint, deliveries };
}

/** The number of claims by the number of their endpoint. */
function claimedByEndpoint(sql: Statements): ReadonlyMap<number, number> {
  const counts = sql.all<{ endpoint: number; claims: number }>(
    'SELECT endpoint, count(*) AS claims FROM claims GROUP BY endpoint',
  );
  return new Map(counts.map(({ endpoint, claims }) => [endpoint, claims]));
}

const CLAIMED = `SELECT d.number, d.endpoint, d.replay_of AS replayOf, c.replayed_at AS replayedAt,
    e.endpoint_id AS endpointId, e.failing_since AS failingSince, e.exhausted
  FROM deliveries d JOIN claims c ON c.delivery = d.number JOIN endpoints e ON e.number = d.endpoint
  WHERE d.delivery_id = ? AND c.token = ?`;
const ENDED = `UPDATE deliveries SET status = ?, due_at = ?, replay_of = ?, attempts = attempts + ? WHERE number = ?`;
const ATTEMPT = `INSERT INTO attempts (delivery, number, at, status, duration_ms, answer, error)
  VALUES (?, (SELECT coalesce(max(number), 0) + 1 FROM attempts WHERE delivery = ?), ?, ?, ?, ?, ?)`;

const HEALTH = 'UPDATE endpoints SET failing_since = ?, exhausted = ? WHERE number = ?';

interface ClaimedRow extends AttemptedDelivery {
  readonly number: number;
  readonly endpoint: number;
  readonly endpointId: string;
  readonly failingSince: number | null;
  readonly exhausted: 0 | 1;
}

export function finishAttempts(sql: Statements, token: string, results: readonly AttemptResult[]): Finished {
  const finished = new FinishedResults();
  const numbers = new Map<string, number>();
  for (const result of results) {
    const row = sql.get<ClaimedRow>(CLAIMED, result.deliveryId, token);
    if (!row) continue;
    const { endpoint, endpointId, failingSince, exhausted, replayOf } = row;
    finishOne(sql, row, result);
    numbers.set(endpointId, endpoint);
    finished.add(endpointId, { failingSince, exhausted: exhausted === 1 }, result, replayOf !== null);
  }
  for (const [endpointId, { failingSince, exhausted }] of finished.health) {
    const number = numbers.get(endpointId) ?? null;
    sql.run(HEALTH, failingSince, exhausted ? 1 : 0, number);
    sql.run(REFRESH_DUE, number);
  }
  return finished.finished;
}

function finishOne(sql: Statements, claimed: ClaimedRow, { attempt, outcome }: AttemptResult): void {
  const { number } = claimed;
  const { at, status = null, durationMs, answer = null, error = null } = attempt;
  sql.run('DELETE FROM claims WHERE delivery = ?', number);
  sql.run(ATTEMPT, number, number, at, status, durationMs, answer, error);
  const after = afterAttempt(claimed, outcome);
  sql.run(ENDED, after.status, after.dueAt, after.replayOf, after.counted, number);
}

export function releaseClaims(sql: Statements, token: string, deliveryIds: readonly string[]): void {
  for (const deliveryId of deliveryIds) {
    const row = sql.get<ClaimedRow>(CLAIMED, deliveryId, token);
    if (!row) continue;
    sql.run('DELETE FROM claims WHERE delivery = ?', row.number);
    sql.run(REFRESH_DUE, row.endpoint);
  }
}
