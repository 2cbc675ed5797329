import {
  BODY_LIFETIME_MS,
  isReplayed,
  StatusNumber,
  toStoredDelivery,
  type AttemptRow,
  type DeliveryCursor,
  type DeliveryRow,
  type ReplayResult,
  type ReplayRow,
  type ReplayStep,
  type StoredDelivery,
  type TestDelivery,
} from '@tillstream/webhook-delivery';
import type { Statements } from './delivery.file.js';
import { REFRESH_DUE } from './claims.sql.js';

/** Deliveries that wait for a step of `purge` to be marked as `Exhausted`. */
const IS_STOPPED = `(d.due_at IS NOT NULL AND (e.enabled = 0 OR d.enabled_at < e.enabled_at))`;

export const DELIVERY = `SELECT d.number, d.delivery_id AS deliveryId, e.endpoint_id AS endpointId, v.event_id AS eventId,
    d.type AS eventType, d.hook_id AS hookId, d.created_at AS createdAt, d.status, d.due_at AS dueAt,
    ${IS_STOPPED} AS isStopped
  FROM deliveries d`;
export const JOINED = 'JOIN endpoints e ON e.number = d.endpoint JOIN events v ON v.number = d.event';

export const ENDPOINT =
  'SELECT number, enabled, enabled_at AS enabledAt FROM endpoints WHERE endpoint_id = ? AND removed = 0';

export interface EndpointRow {
  readonly number: number;
  readonly enabled: 0 | 1;
  readonly enabledAt: number;
}

export function findDelivery(
  sql: Statements,
  endpointId: string,
  deliveryId: string,
): StoredDelivery | undefined {
  const row = sql.get<DeliveryRow>(
    `${DELIVERY} ${JOINED} WHERE d.delivery_id = ? AND e.endpoint_id = ? AND e.removed = 0`,
    deliveryId,
    endpointId,
  );
  return row && toDelivery(sql, row);
}

export function toDelivery(sql: Statements, row: DeliveryRow): StoredDelivery {
  const attempts = sql.all<AttemptRow>(
    `SELECT at, status, duration_ms AS durationMs, answer, error FROM attempts WHERE delivery = ? ORDER BY number`,
    row.number,
  );
  return toStoredDelivery(row, attempts);
}

/** A delivery of the schedule that waits is only tried earlier; any other gets one attempt beside the schedule. */
const REPLAY = `UPDATE deliveries SET due_at = ?, enabled_at = ?, status = ?,
  replay_of = CASE WHEN status IN (${StatusNumber.Succeeded}, ${StatusNumber.Exhausted}) THEN status ELSE replay_of END
  WHERE number = ?`;
/** The attempt in flight does not replace the one that is asked for. */
const REPLAY_AFTER_ATTEMPT = 'UPDATE claims SET replayed_at = ? WHERE delivery = ?';
/** A body that is too old may still be there, until a step of `purge` deletes it. */
const HAS_BODY = `SELECT 1 FROM deliveries d JOIN bodies b ON b.event = d.event WHERE d.number = ? AND b.at >= ?`;

export function replayDelivery(
  sql: Statements,
  endpointId: string,
  deliveryId: string,
  now: number,
): ReplayResult {
  const endpoint = sql.get<EndpointRow>(ENDPOINT, endpointId);
  const found = findDelivery(sql, endpointId, deliveryId);
  if (!endpoint || !found) return { kind: 'NotFound' };
  if (!sql.get(HAS_BODY, found.number, now - BODY_LIFETIME_MS)) return { kind: 'BodyDeleted' };
  if (endpoint.enabled === 0) return { kind: 'EndpointDisabled' };
  makeDue(sql, endpoint, found.number, now);
  sql.run(REFRESH_DUE, endpoint.number);
  return { kind: 'Replayed', delivery: findDelivery(sql, endpointId, deliveryId) ?? found };
}

function makeDue(sql: Statements, { enabledAt }: EndpointRow, number: number, now: number): void {
  sql.run(REPLAY, now, enabledAt, StatusNumber.Pending, number);
  sql.run(REPLAY_AFTER_ATTEMPT, now, number);
}

interface RangeRow extends DeliveryCursor, ReplayRow {}

const RANGE = `SELECT d.number, d.created_at AS createdAt, d.status, d.hook_sequence AS hookSequence,
    (d.due_at IS NOT NULL AND d.enabled_at < ?) AS isOutdated,
    EXISTS (SELECT 1 FROM bodies b WHERE b.event = d.event AND b.at >= ?) AS hasBody
  FROM deliveries d INDEXED BY deliveries_listed
  WHERE d.endpoint = ? AND (d.created_at, d.number) > (?, ?) AND d.created_at <= ?
  ORDER BY d.created_at, d.number LIMIT ?`;

/** Reads `limit` deliveries of the range, and replays those of them that it asks for. */
export function replayRange(
  sql: Statements,
  { range, now, after, limit }: ReplayStep,
): { readonly count: number; readonly next: DeliveryCursor | undefined } {
  const endpoint = sql.get<EndpointRow>(ENDPOINT, range.endpointId);
  if (!endpoint || endpoint.enabled === 0) return { count: 0, next: undefined };
  const isFailedOnly = 'failedSince' in range;
  const [from, to] = isFailedOnly ? [range.failedSince, Number.MAX_SAFE_INTEGER] : [range.from, range.to];
  const start = after ?? { createdAt: from - 1, number: Number.MAX_SAFE_INTEGER };
  const rows = sql.all<RangeRow>(
    RANGE,
    endpoint.enabledAt,
    now - BODY_LIFETIME_MS,
    endpoint.number,
    start.createdAt,
    start.number,
    to,
    limit,
  );
  const chosen = rows.filter((row) => isReplayed(row, isFailedOnly));
  for (const { number } of chosen) makeDue(sql, endpoint, number, now);
  if (chosen.length > 0) sql.run(REFRESH_DUE, endpoint.number);
  const last = rows.length < limit ? undefined : rows.at(-1);
  return { count: chosen.length, next: last && { createdAt: last.createdAt, number: last.number } };
}

/** False if the endpoint is not known. */
export function insertTest(sql: Statements, test: TestDelivery): boolean {
  const { endpointId, eventId, deliveryId, hookId, type, at, body } = test;
  const endpoint = sql.get<EndpointRow>(ENDPOINT, endpointId);
  if (!endpoint) return false;
  const event = sql.insert('INSERT INTO events (event_id, type) VALUES (?, ?)', eventId, type);
  sql.run('INSERT INTO bodies (event, at, body) VALUES (?, ?, ?)', event, at, body);
  sql.run(
    `INSERT INTO deliveries (delivery_id, endpoint, event, hook_id, type, created_at, enabled_at, status, due_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[deliveryId, endpoint.number, event, hookId, type, at, endpoint.enabledAt, StatusNumber.Pending, at],
  );
  sql.run(REFRESH_DUE, endpoint.number);
  return true;
}
