import {
  rangesOf,
  StatusNumber,
  type DeliveryCursor,
  type DeliveryFilter,
  type DeliveryOrder,
  type DeliveryRow,
  type DeliveryStatus,
  type IndexRange,
  type StoredDelivery,
} from '@tillstream/webhook-delivery';
import type { Statements } from './delivery.file.js';
import { DELIVERY, ENDPOINT, JOINED, toDelivery, type EndpointRow } from './records.sql.js';

type Condition = readonly [sql: string, ...values: (string | number)[]];

interface Page {
  readonly after: DeliveryCursor | undefined;
  readonly limit: number;
  readonly order: DeliveryOrder;
}

export function listDeliveries(sql: Statements, filter: DeliveryFilter, page: Page): StoredDelivery[] {
  const endpoint = sql.get<EndpointRow>(ENDPOINT, filter.endpointId);
  if (!endpoint) return [];
  const direction = page.order === 'OldestFirst' ? 1 : -1;
  return rangesOf(filter)
    .flatMap((range) => listRange(sql, conditionsOf(endpoint.number, filter, range), indexOf(range), page))
    .sort((a, b) => direction * (a.createdAt - b.createdAt || a.number - b.number))
    .slice(0, page.limit)
    .map((row) => toDelivery(sql, row));
}

/** Up to `max`. */
export function countDeliveries(sql: Statements, filter: DeliveryFilter, max: number): number {
  const endpoint = sql.get<EndpointRow>(ENDPOINT, filter.endpointId);
  if (!endpoint) return 0;
  let count = 0;
  for (const range of rangesOf(filter)) {
    if (count >= max) break;
    const conditions = conditionsOf(endpoint.number, filter, range);
    count += sql.all(
      `SELECT 1 FROM deliveries d INDEXED BY ${indexOf(range)} WHERE ${textOf(conditions)} LIMIT ?`,
      ...valuesOf(conditions),
      max - count,
    ).length;
  }
  return count;
}

function conditionsOf(endpoint: number, filter: DeliveryFilter, range: IndexRange): readonly Condition[] {
  const { createdFrom, createdTo } = filter;
  const { eventId, eventType, status } = range;
  const conditions: Condition[] = [['d.endpoint = ?', endpoint]];
  if (eventId !== undefined) {
    conditions.push(['d.event = (SELECT number FROM events WHERE event_id = ?)', eventId]);
    if (filter.status) conditions.push(anyOf('d.status', filter.status.map(numberOf)));
    if (filter.eventType) conditions.push(anyOf('d.type', filter.eventType));
  }
  if (status !== undefined) conditions.push(['d.status = ?', numberOf(status)]);
  if (eventType !== undefined) conditions.push(['d.type = ?', eventType]);
  if (createdFrom !== undefined) conditions.push(['d.created_at >= ?', createdFrom]);
  if (createdTo !== undefined) conditions.push(['d.created_at <= ?', createdTo]);
  return conditions;
}

function listRange(
  sql: Statements,
  conditions: readonly Condition[],
  index: string,
  { after, limit, order }: Page,
): DeliveryRow[] {
  const [direction, beyond] = order === 'OldestFirst' ? ['ASC', '>'] : ['DESC', '<'];
  const place: Condition[] = after
    ? [[`(d.created_at, d.number) ${beyond} (?, ?)`, after.createdAt, after.number]]
    : [];
  const all = [...conditions, ...place];
  return sql.all<DeliveryRow>(
    `${DELIVERY} INDEXED BY ${index} ${JOINED}
      WHERE ${textOf(all)} ORDER BY d.created_at ${direction}, d.number ${direction} LIMIT ?`,
    ...valuesOf(all),
    limit,
  );
}

/** SQLite would choose the index by the order, and read the whole list for one event. */
function indexOf({ status, eventType, eventId }: IndexRange): string {
  if (eventId !== undefined) return 'deliveries_of_event';
  if (eventType !== undefined) return 'deliveries_of_type';
  return status === undefined ? 'deliveries_listed' : 'deliveries_of_status';
}

const numberOf = (status: DeliveryStatus): number => StatusNumber[status];
const anyOf = (column: string, values: readonly (string | number)[]): Condition => [
  `${column} IN (${values.map(() => '?').join(', ')})`,
  ...values,
];
const textOf = (conditions: readonly Condition[]): string =>
  conditions.map(([condition]) => condition).join(' AND ');
const valuesOf = (conditions: readonly Condition[]): (string | number)[] =>
  conditions.flatMap(([, ...values]) => values);
