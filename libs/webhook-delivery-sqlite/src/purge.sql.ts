import { StatusNumber } from '@tillstream/webhook-delivery';
import type { Statements } from './delivery.file.js';
import { REFRESH_DUE } from './claims.sql.js';

/** Rows of one step, one transaction of some ms. */
const STEP_ROWS = 200;

/** One step. Returns the number of rows that it changed. */
export function purgeStep(sql: Statements, bodiesBefore: number): number {
  return deleteBodies(sql, bodiesBefore) || deleteRemoved(sql) || stopOutdated(sql);
}

interface DeliveryOfEvent {
  readonly number: number;
  readonly endpoint: number;
  readonly dueAt: number | null;
}

const DELIVERIES_OF_EVENT = 'SELECT number, endpoint, due_at AS dueAt FROM deliveries WHERE event = ?';
const STOP = `UPDATE deliveries SET status = ${StatusNumber.Exhausted}, due_at = NULL WHERE number = ?`;

function deleteBodies(sql: Statements, before: number): number {
  const old = sql.all<{ event: number }>(
    'SELECT event FROM bodies WHERE at < ? ORDER BY at LIMIT ?',
    before,
    STEP_ROWS,
  );
  const stopped = new Set<number>();
  for (const { event } of old) {
    sql.run('DELETE FROM bodies WHERE event = ?', event);
    for (const { number, endpoint, dueAt } of sql.all<DeliveryOfEvent>(DELIVERIES_OF_EVENT, event)) {
      sql.run('UPDATE attempts SET answer = NULL WHERE delivery = ? AND answer IS NOT NULL', number);
      if (dueAt === null) continue;
      sql.run(STOP, number);
      stopped.add(endpoint);
    }
  }
  for (const endpoint of stopped) sql.run(REFRESH_DUE, endpoint);
  return old.length;
}

function deleteRemoved(sql: Statements): number {
  const removed = sql.get<{ number: number }>('SELECT number FROM endpoints WHERE removed = 1 LIMIT 1');
  if (!removed) return 0;
  const { number } = removed;
  const rows = sql.all<{ number: number }>(
    'SELECT number FROM deliveries WHERE endpoint = ? LIMIT ?',
    number,
    STEP_ROWS,
  );
  for (const { number: delivery } of rows) {
    sql.run('DELETE FROM attempts WHERE delivery = ?', delivery);
    sql.run('DELETE FROM claims WHERE delivery = ?', delivery);
    sql.run('DELETE FROM deliveries WHERE number = ?', delivery);
  }
  return rows.length > 0 ? rows.length : sql.run('DELETE FROM endpoints WHERE number = ?', number);
}

const WITH_OUTDATED = `SELECT number FROM endpoints WHERE EXISTS (
    SELECT 1 FROM deliveries d INDEXED BY deliveries_due
    WHERE d.endpoint = endpoints.number AND d.due_at IS NOT NULL
      AND d.enabled_at < endpoints.enabled_at + (1 - endpoints.enabled))
  LIMIT 1`;

/** An endpoint that was disabled or enabled anew, with deliveries that are still marked as due. */
function stopOutdated(sql: Statements): number {
  const endpoint = sql.get<{ number: number }>(WITH_OUTDATED);
  return endpoint ? stopDeliveries(sql, endpoint.number) : 0;
}

/** Due, but of another `enabled_at` than the endpoint's, or of a disabled endpoint: never sent. */
const OUTDATED = `SELECT d.number FROM deliveries d INDEXED BY deliveries_due
    WHERE d.endpoint = ? AND d.due_at IS NOT NULL AND d.enabled_at < ? LIMIT ?`;

/** Marks deliveries of a disabled endpoint, or from before it was enabled again, as `Exhausted`. Bounded. */
export function stopDeliveries(sql: Statements, endpoint: number): number {
  const row = sql.get<{ enabled: 0 | 1; enabledAt: number }>(
    'SELECT enabled, enabled_at AS enabledAt FROM endpoints WHERE number = ?',
    endpoint,
  );
  if (!row) return 0;
  const before = row.enabled === 1 ? row.enabledAt : row.enabledAt + 1;
  const stopped = sql.all<{ number: number }>(OUTDATED, endpoint, before, STEP_ROWS);
  for (const { number } of stopped)
    sql.run(
      'UPDATE deliveries SET status = ?, due_at = NULL WHERE number = ?',
      StatusNumber.Exhausted,
      number,
    );
  return stopped.length;
}
