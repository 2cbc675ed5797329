import type { Checkpoint, HandleResult } from '@tillstream/event-consumers';
import type { Position } from '@tillstream/event-store';
import {
  countDelivery,
  enabledEpoch,
  StatusNumber,
  type CountedEndpoint,
  type DeliveryEndpoint,
  type EndpointChange,
  type MerchantNumbers,
  type NumberedEvent,
  type NumberedPage,
} from '@tillstream/webhook-delivery';
import type { Statements } from './delivery.file.js';
import { REFRESH_DUE } from './claims.sql.js';
import { stopDeliveries } from './purge.sql.js';

interface EndpointRow {
  readonly number: number;
  readonly endpoint: string;
  readonly hookSequence: number;
}

interface ProgressRow {
  readonly position: Position | null;
  readonly stream: string;
  readonly revision: number;
  readonly lastPosition: Position;
}

export function readCheckpoint(sql: Statements): Checkpoint | undefined {
  const row = sql.get<ProgressRow>(
    `SELECT position, last_stream AS stream, last_revision AS revision, last_position AS lastPosition FROM progress`,
  );
  if (!row?.position) return undefined;
  const { position, stream, revision, lastPosition } = row;
  return { position, witness: { stream, revision, position: lastPosition } };
}

export function readNumbers(sql: Statements, merchantId: string): MerchantNumbers {
  const counted = sql.get<{ sequence: number }>(
    'SELECT sequence FROM merchants WHERE merchant_id = ?',
    merchantId,
  );
  const endpoints = sql
    .all<EndpointRow>(
      `SELECT number, endpoint, hook_sequence AS hookSequence FROM endpoints
        WHERE merchant_id = ? AND removed = 0 ORDER BY number`,
      merchantId,
    )
    .map(({ endpoint, hookSequence }) => ({
      endpoint: JSON.parse(endpoint) as DeliveryEndpoint,
      hookSequence,
    }));
  return { merchantId, sequence: counted?.sequence ?? 0, endpoints };
}

const NEXT_CHECKPOINT = `UPDATE progress SET position = ?, last_stream = ?, last_revision = ?, last_position = ?
  WHERE position IS ?`;
const COUNT = `INSERT INTO merchants (merchant_id, sequence) VALUES (?, ?)
  ON CONFLICT (merchant_id) DO UPDATE SET sequence = excluded.sequence`;

export function recordPage(sql: Statements, page: NumberedPage): HandleResult {
  const { from, to, witness, sequences } = page;
  const { stream, revision, position } = witness;
  if (sql.run(NEXT_CHECKPOINT, to, stream, revision, position, from ?? null) === 0) return { kind: 'Fenced' };
  for (const [merchantId, sequence] of sequences) sql.run(COUNT, merchantId, sequence);
  for (const change of page.endpoints) applyChange(sql, change);
  const endpoints = new NumberedEndpoints(sql);
  for (const event of page.events) insertEvent(sql, event, endpoints);
  endpoints.write();
  for (const change of page.endpoints) refreshChanged(sql, change);
  return { kind: 'Moved', to };
}

const PUT = `INSERT INTO endpoints (endpoint_id, merchant_id, endpoint, enabled, enabled_at) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (endpoint_id) DO UPDATE SET endpoint = excluded.endpoint, enabled = excluded.enabled,
    failing_since = CASE WHEN enabled_at = excluded.enabled_at THEN failing_since END,
    exhausted = CASE WHEN enabled_at = excluded.enabled_at THEN exhausted ELSE 0 END,
    enabled_at = excluded.enabled_at`;
const REMOVE = `UPDATE endpoints SET removed = 1, enabled = 0, next_due_at = NULL WHERE endpoint_id = ?`;

function applyChange(sql: Statements, change: EndpointChange): void {
  if (change.kind === 'Remove') {
    sql.run(REMOVE, change.endpointId);
    return;
  }
  const { id, merchantId, status, enabledAt } = change.endpoint;
  const enabled = status === 'Enabled' ? 1 : 0;
  sql.run(PUT, id, merchantId, JSON.stringify(change.endpoint), enabled, enabledEpoch(enabledAt));
}

/** Deliveries of the page itself may have been stopped by a later event of it. */
function refreshChanged(sql: Statements, change: EndpointChange): void {
  if (change.kind === 'Remove') return;
  const number = numberOf(sql, change.endpoint.id)?.number;
  if (number === undefined) return;
  stopDeliveries(sql, number);
  sql.run(REFRESH_DUE, number);
}

const EVENT = 'INSERT INTO events (event_id, type) VALUES (?, ?)';
const BODY = 'INSERT INTO bodies (event, at, body) VALUES (?, ?, ?)';
const DELIVERY = `INSERT INTO deliveries
  (delivery_id, endpoint, event, hook_id, hook_sequence, type, created_at, enabled_at, status, due_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

function insertEvent(sql: Statements, event: NumberedEvent, endpoints: NumberedEndpoints): void {
  const { eventId, type, at, body, deliveries } = event;
  const number = sql.insert(EVENT, eventId, type);
  if (body) sql.run(BODY, number, at, body);
  for (const delivery of deliveries) {
    const endpoint = endpoints.find(delivery.endpointId);
    // Removed later in the same page.
    if (!endpoint) continue;
    const { deliveryId, hookId, hookSequence, status, enabledAt } = delivery;
    const dueAt = countDelivery(endpoint, delivery, at);
    sql.run(
      DELIVERY,
      ...[deliveryId, endpoint.number, number, hookId, hookSequence, type, at, enabledEpoch(enabledAt)],
      ...[StatusNumber[status], dueAt],
    );
  }
}

const NUMBERED = `UPDATE endpoints SET hook_sequence = ?, last_due_at = ?,
  next_due_at = CASE WHEN enabled = 0 OR ? IS NULL THEN next_due_at ELSE min(coalesce(next_due_at, ?), ?) END
  WHERE number = ?`;

interface PageEndpoint extends CountedEndpoint {
  readonly number: number;
}

/** The endpoints that get events of a page, written once for the whole page. */
class NumberedEndpoints {
  readonly #byId = new Map<string, PageEndpoint | undefined>();

  constructor(private readonly sql: Statements) {}

  find(endpointId: string): PageEndpoint | undefined {
    if (this.#byId.has(endpointId)) return this.#byId.get(endpointId);
    const row = numberOf(this.sql, endpointId);
    const counted = row && { ...row, hookSequence: 0, firstDueAt: null };
    this.#byId.set(endpointId, counted);
    return counted;
  }

  write(): void {
    for (const counted of this.#byId.values()) {
      if (!counted) continue;
      const { number, hookSequence, lastDueAt, firstDueAt } = counted;
      this.sql.run(NUMBERED, hookSequence, lastDueAt, firstDueAt, firstDueAt, firstDueAt, number);
    }
  }
}

/** Undefined if there is no such endpoint, or if it was removed. */
export function numberOf(
  sql: Statements,
  endpointId: string,
): { readonly number: number; readonly lastDueAt: number } | undefined {
  return sql.get(
    'SELECT number, last_due_at AS lastDueAt FROM endpoints WHERE endpoint_id = ? AND removed = 0',
    endpointId,
  );
}
