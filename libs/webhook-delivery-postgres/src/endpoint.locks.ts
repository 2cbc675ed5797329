import { sql, type SqlBool } from 'kysely';
import type { DeliveryEndpoint } from '@tillstream/webhook-delivery';
import type { PostgresSession } from '@tillstream/postgres-driver';
import { build, statement } from './deliveries.tables.js';

/** An endpoint whose row this transaction has locked. */
export interface LockedEndpoint {
  readonly number: number;
  readonly endpointId: string;
  readonly enabled: boolean;
  readonly enabledAt: number;
  readonly lastDueAt: number;
  readonly failingSince: number | null;
  readonly exhausted: boolean;
}

const LOCKED = [
  'number',
  'endpoint_id as endpointId',
  'enabled',
  'enabled_at as enabledAt',
  'last_due_at as lastDueAt',
  'failing_since as failingSince',
  'exhausted',
] as const;

/** Waits for the locks, in one order, so that transactions do not wait for each other. Endpoints that are gone are left out. */
export async function lockEndpoints(
  session: PostgresSession,
  numbers: readonly number[],
): Promise<readonly LockedEndpoint[]> {
  if (numbers.length === 0) return [];
  const rows = build.selectFrom('webhook_endpoints').select(LOCKED).where('number', 'in', numbers);
  return session.all(rows.orderBy('number').forUpdate());
}

/** As `lockEndpoints`, by ids and without those that were removed. */
export async function lockEndpointsById(
  session: PostgresSession,
  endpointIds: readonly string[],
): Promise<readonly LockedEndpoint[]> {
  if (endpointIds.length === 0) return [];
  const rows = build
    .selectFrom('webhook_endpoints')
    .select(LOCKED)
    .where('endpoint_id', 'in', endpointIds)
    .where('removed', '=', false);
  return session.all(rows.orderBy('number').forUpdate());
}

/** Undefined if the endpoint is not known, or was removed. */
export async function lockEndpoint(
  session: PostgresSession,
  endpointId: string,
): Promise<LockedEndpoint | undefined> {
  return (await lockEndpointsById(session, [endpointId]))[0];
}

/** The enabled ones that no other transaction has locked. */
export async function lockFreeEndpoints(
  session: PostgresSession,
  endpointIds: readonly string[],
): Promise<readonly (LockedEndpoint & { readonly endpoint: DeliveryEndpoint })[]> {
  const rows = build
    .selectFrom('webhook_endpoints')
    .select([...LOCKED, 'endpoint'])
    .where('endpoint_id', 'in', endpointIds)
    .where('enabled', '=', true);
  // Another process claims, or writes results, of the locked ones.
  return session.all(rows.orderBy('number').forUpdate().skipLocked());
}

/** No process has claimed the delivery `d`. */
export const UNCLAIMED = sql<SqlBool>`not exists (select from webhook_claims c where c.delivery = d.number)`;

/** After every change of deliveries or claims. Reads at most one delivery more than are claimed. */
export async function refreshDue(session: PostgresSession, numbers: readonly number[]): Promise<void> {
  if (numbers.length === 0) return;
  await session.run(
    statement(sql`
      update webhook_endpoints set next_due_at = due.at
      from webhook_endpoints e left join lateral (
          select d.due_at as at from webhook_deliveries d
          where d.endpoint = e.number and d.enabled_at = e.enabled_at and d.due_at is not null and ${UNCLAIMED}
          order by d.due_at, d.number limit 1
        ) due on true
      where e.number = any(${numbers}::bigint[]) and webhook_endpoints.number = e.number
        and webhook_endpoints.next_due_at is distinct from due.at`),
  );
}
