import { sql, type Expression, type SqlBool } from 'kysely';
import {
  rangesOf,
  StatusNumber,
  toStoredDelivery,
  type AttemptRow,
  type DeliveryCursor,
  type DeliveryFilter,
  type DeliveryOrder,
  type DeliveryRow,
  type IndexRange,
  type StoredDelivery,
} from '@tillstream/webhook-delivery';
import { build, statement } from './deliveries.tables.js';

interface Page {
  readonly after: DeliveryCursor | undefined;
  readonly limit: number;
  readonly order: DeliveryOrder;
}

/** Each range of an index gives a page of rows; the first of all together are the page. */
export function listedRows(filter: DeliveryFilter, page: Page) {
  const ranges = rangesOf(filter).map((range) => sql`(${pageOf(filter, range, page)})`);
  const direction = page.order === 'OldestFirst' ? sql`asc` : sql`desc`;
  const first = sql`select number, created_at from (${unionOf(ranges)}) found
    order by created_at ${direction}, number ${direction} limit ${page.limit}`;
  return statement(shown(first, direction));
}

export function foundRow(endpointId: string, deliveryId: string) {
  const one = sql`select d.number, d.created_at from webhook_deliveries d
    where d.delivery_id = ${deliveryId} and d.endpoint = ${numberOf(endpointId)}`;
  return statement(shown(one, sql`asc`));
}

/** Up to `max`. */
export function countedRows(filter: DeliveryFilter, max: number) {
  const page: Page = { after: undefined, limit: max, order: 'OldestFirst' };
  const ranges = rangesOf(filter).map((range) => sql`(${pageOf(filter, range, page)})`);
  return statement(sql<{ readonly count: number }>`
    select count(*) as count from (select 1 from (${unionOf(ranges)}) found limit ${max}) counted`);
}

/** A row for each attempt, so that deliveries and attempts are of one moment. */
export interface ShownRow extends DeliveryRow {
  readonly attempt: number | null;
  readonly attemptAt: number | null;
  readonly attemptStatus: number | null;
  readonly durationMs: number | null;
  readonly answer: Uint8Array | null;
  readonly error: string | null;
}

function shown(numbers: Expression<unknown>, direction: Expression<unknown>) {
  return sql<ShownRow>`
    select d.number, d.delivery_id as "deliveryId", e.endpoint_id as "endpointId", v.event_id as "eventId",
      d.type as "eventType", d.hook_id as "hookId", d.created_at as "createdAt", d.status, d.due_at as "dueAt",
      (d.due_at is not null and (not e.enabled or d.enabled_at < e.enabled_at)) as "isStopped",
      a.number as attempt, a.at as "attemptAt", a.status as "attemptStatus", a.duration_ms as "durationMs", a.answer,
      a.error
    from (${numbers}) chosen join webhook_deliveries d on d.number = chosen.number
      join webhook_endpoints e on e.number = d.endpoint join webhook_events v on v.number = d.event
      left join webhook_attempts a on a.delivery = d.number
    order by chosen.created_at ${direction}, d.number ${direction}, a.number`;
}

export function toDeliveries(rows: readonly ShownRow[]): StoredDelivery[] {
  const attempts = new Map<number, AttemptRow[]>();
  const deliveries = new Map<number, DeliveryRow>();
  for (const row of rows) {
    const { attempt, attemptAt, attemptStatus, durationMs, answer, error, ...delivery } = row;
    deliveries.set(row.number, delivery);
    if (attempt === null || attemptAt === null || durationMs === null) continue;
    const one = { at: attemptAt, status: attemptStatus, durationMs, answer, error };
    attempts.set(row.number, [...(attempts.get(row.number) ?? []), one]);
  }
  return [...deliveries.values()].map((row) => toStoredDelivery(row, attempts.get(row.number) ?? []));
}

function pageOf(filter: DeliveryFilter, range: IndexRange, { after, limit, order }: Page) {
  const isOldestFirst = order === 'OldestFirst';
  const place = after && [after.createdAt, after.number];
  const beyond = place
    ? [
        isOldestFirst
          ? sql<SqlBool>`(d.created_at, d.number) > (${place[0]}, ${place[1]})`
          : sql<SqlBool>`(d.created_at, d.number) < (${place[0]}, ${place[1]})`,
      ]
    : [];
  const conditions = allOf([...conditionsOf(filter, range), ...beyond]);
  // An event has few deliveries. Without the fence, the planner may read the whole list of the endpoint for them.
  if (range.eventId !== undefined) {
    return sql`select d.number, d.created_at from (
        select * from webhook_deliveries where event = (select number from webhook_events where event_id = ${range.eventId})
        offset 0
      ) d where ${conditions}`;
  }
  const direction = isOldestFirst ? sql`asc` : sql`desc`;
  return sql`select d.number, d.created_at from webhook_deliveries d
    where ${conditions} order by d.created_at ${direction}, d.number ${direction} limit ${limit}`;
}

function conditionsOf(filter: DeliveryFilter, range: IndexRange): Expression<SqlBool>[] {
  const { createdFrom, createdTo, endpointId } = filter;
  const { eventId, eventType, status } = range;
  const conditions: Expression<SqlBool>[] = [sql<SqlBool>`d.endpoint = ${numberOf(endpointId)}`];
  if (eventId !== undefined) {
    if (filter.status) {
      const numbers = filter.status.map((one) => StatusNumber[one]);
      conditions.push(sql`d.status = any(${numbers}::smallint[])`);
    }
    if (filter.eventType) conditions.push(sql`d.type in (${sql.join(filter.eventType)})`);
  }
  if (status !== undefined) conditions.push(sql`d.status = ${StatusNumber[status]}`);
  if (eventType !== undefined) conditions.push(sql`d.type = ${eventType}`);
  if (createdFrom !== undefined) conditions.push(sql`d.created_at >= ${createdFrom}`);
  if (createdTo !== undefined) conditions.push(sql`d.created_at <= ${createdTo}`);
  return conditions;
}

/** Null, which no delivery has, if the endpoint is not known or was removed. */
function numberOf(endpointId: string): Expression<number | null> {
  return sql`(${build.selectFrom('webhook_endpoints').select('number').where('endpoint_id', '=', endpointId).where('removed', '=', false)})`;
}

const allOf = (conditions: readonly Expression<SqlBool>[]) => sql.join(conditions, sql` and `);
const unionOf = (ranges: readonly Expression<unknown>[]) => sql.join(ranges, sql` union all `);
