import { sql } from 'kysely';
import type { HandleResult } from '@tillstream/event-consumers';
import type { PostgresSession } from '@tillstream/postgres-driver';
import {
  countDelivery,
  enabledEpoch,
  StatusNumber,
  type CountedEndpoint,
  type DeliveryEndpoint,
  type NumberedEvent,
  type NumberedPage,
} from '@tillstream/webhook-delivery';
import { build, statement } from './deliveries.tables.js';
import { lockEndpointsById, refreshDue } from './endpoint.locks.js';
import { moveCheckpoint } from './delivery.numbers.js';
import { stopDeliveries } from './purge.js';

/** Of one statement: a delivery has ten values, and a statement can have 65,535. */
const ROWS_PER_STATEMENT_MAX = 1_000;
/** A body has up to 20 kB. */
const BODIES_PER_STATEMENT_MAX = 100;

/** Writes a page and its checkpoint, if the checkpoint is still that from which the page was numbered. */
export async function recordPage(
  session: PostgresSession,
  source: string,
  page: NumberedPage,
): Promise<HandleResult> {
  if (!(await moveCheckpoint(session, source, page))) return { kind: 'Fenced' };
  await writeSequences(session, page.sequences);
  const endpoints = await lockPageEndpoints(session, page);
  await writeEvents(session, page.events, endpoints);
  await writeCounts(session, endpoints);
  const changed = page.endpoints.flatMap((change) =>
    change.kind === 'Put' ? (endpoints.get(change.endpoint.id)?.number ?? []) : [],
  );
  // Deliveries of the page itself may have been stopped by a later event of it.
  await stopDeliveries(session, changed);
  await refreshDue(session, changed);
  return { kind: 'Moved', to: page.to };
}

async function writeSequences(
  session: PostgresSession,
  sequences: ReadonlyMap<string, number>,
): Promise<void> {
  const rows = [...sequences].map(([merchant_id, sequence]) => ({ merchant_id, sequence }));
  if (rows.length === 0) return;
  const counted = build.insertInto('webhook_merchants').values(rows);
  await session.run(
    counted.onConflict((conflict) =>
      conflict.column('merchant_id').doUpdateSet(({ ref }) => ({ sequence: ref('excluded.sequence') })),
    ),
  );
}

interface PageEndpoint extends CountedEndpoint {
  readonly number: number;
}

type PageEndpoints = ReadonlyMap<string, PageEndpoint>;

/** Applies the changes of endpoints, and returns those of the page by id, without those that are removed after it. */
async function lockPageEndpoints(session: PostgresSession, page: NumberedPage): Promise<PageEndpoints> {
  const put = page.endpoints.flatMap((change) => (change.kind === 'Put' ? change.endpoint : []));
  const removed = page.endpoints.flatMap((change) => (change.kind === 'Remove' ? change.endpointId : []));
  const ids = new Set([...put.map(({ id }) => id), ...removed]);
  for (const { deliveries } of page.events) for (const { endpointId } of deliveries) ids.add(endpointId);
  // Before the changes, which would lock them in another order.
  const before = await lockEndpointsById(session, [...ids]);
  if (put.length > 0) await session.run(putEndpoints(put));
  if (removed.length > 0) await session.run(removeEndpoints(removed));
  const isNew = put.some(({ id }) => !before.some(({ endpointId }) => endpointId === id));
  const after = isNew ? await lockEndpointsById(session, [...ids]) : before;
  const endpoints = after.filter(({ endpointId }) => !removed.includes(endpointId));
  return new Map(
    endpoints.map(({ endpointId, number, lastDueAt }) => [
      endpointId,
      { number, lastDueAt, hookSequence: 0, firstDueAt: null },
    ]),
  );
}

/** In the order of their creation, which is that of their numbers. Enabling anew forgets failures. */
function putEndpoints(endpoints: readonly DeliveryEndpoint[]) {
  const rows = endpoints.map((endpoint) => ({
    endpoint_id: endpoint.id,
    merchant_id: endpoint.merchantId,
    endpoint: JSON.stringify(endpoint),
    enabled: endpoint.status === 'Enabled',
    enabled_at: enabledEpoch(endpoint.enabledAt),
  }));
  const isSame = sql<boolean>`webhook_endpoints.enabled_at = excluded.enabled_at`;
  return build
    .insertInto('webhook_endpoints')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('endpoint_id').doUpdateSet(({ ref }) => ({
        endpoint: sql<string>`excluded.endpoint`,
        enabled: ref('excluded.enabled'),
        enabled_at: ref('excluded.enabled_at'),
        failing_since: sql<number | null>`case when ${isSame} then webhook_endpoints.failing_since end`,
        exhausted: sql<boolean>`${isSame} and webhook_endpoints.exhausted`,
      })),
    );
}

function removeEndpoints(endpointIds: readonly string[]) {
  const gone = { removed: true, enabled: false, next_due_at: null };
  return build.updateTable('webhook_endpoints').set(gone).where('endpoint_id', 'in', endpointIds);
}

async function writeEvents(
  session: PostgresSession,
  events: readonly NumberedEvent[],
  endpoints: PageEndpoints,
): Promise<void> {
  const numbers = new Map<string, number>();
  for (const chunk of chunksOf(events, ROWS_PER_STATEMENT_MAX)) {
    const rows = chunk.map(({ eventId, type }) => ({ event_id: eventId, type }));
    const inserted = build.insertInto('webhook_events').values(rows).returning(['number', 'event_id']);
    for (const { number, event_id } of await session.all(inserted)) numbers.set(event_id, number);
  }
  const bodies = events.flatMap(({ eventId, at, body }) =>
    body ? [{ event: numbers.get(eventId) ?? 0, at, body }] : [],
  );
  for (const chunk of chunksOf(bodies, BODIES_PER_STATEMENT_MAX))
    await session.run(build.insertInto('webhook_bodies').values(chunk));
  const deliveries = events.flatMap((event) =>
    deliveriesOf(event, numbers.get(event.eventId) ?? 0, endpoints),
  );
  for (const chunk of chunksOf(deliveries, ROWS_PER_STATEMENT_MAX))
    await session.run(build.insertInto('webhook_deliveries').values(chunk));
}

function deliveriesOf({ type, at, deliveries }: NumberedEvent, event: number, endpoints: PageEndpoints) {
  return deliveries.flatMap((delivery) => {
    const endpoint = endpoints.get(delivery.endpointId);
    // Removed later in the same page.
    if (!endpoint) return [];
    const { deliveryId, hookId, hookSequence, status, enabledAt } = delivery;
    const row = {
      ...{ delivery_id: deliveryId, endpoint: endpoint.number, event, hook_id: hookId },
      ...{ hook_sequence: hookSequence, type, created_at: at, enabled_at: enabledEpoch(enabledAt) },
    };
    return [{ ...row, status: StatusNumber[status], due_at: countDelivery(endpoint, delivery, at) }];
  });
}

/** Once for the whole page. */
async function writeCounts(session: PostgresSession, endpoints: PageEndpoints): Promise<void> {
  const counted = [...endpoints.values()].filter(({ hookSequence }) => hookSequence > 0);
  if (counted.length === 0) return;
  const numbers = counted.map(({ number }) => number);
  const sequences = counted.map(({ hookSequence }) => hookSequence);
  const lastDueAts = counted.map(({ lastDueAt }) => lastDueAt);
  const firstDueAts = counted.map(({ firstDueAt }) => firstDueAt);
  await session.run(
    statement(sql`
      update webhook_endpoints e
      set hook_sequence = counted.hook_sequence, last_due_at = counted.last_due_at,
        next_due_at = case when e.enabled then least(e.next_due_at, counted.first_due_at) else e.next_due_at end
      from unnest(${numbers}::bigint[], ${sequences}::bigint[], ${lastDueAts}::bigint[], ${firstDueAts}::bigint[])
        as counted(number, hook_sequence, last_due_at, first_due_at)
      where e.number = counted.number`),
  );
}

function chunksOf<Row>(rows: readonly Row[], max: number): Row[][] {
  const chunks: Row[][] = [];
  for (let at = 0; at < rows.length; at += max) chunks.push(rows.slice(at, at + max));
  return chunks;
}
