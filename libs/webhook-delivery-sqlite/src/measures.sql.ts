import type { DeliveryMeasures, EndpointHealth } from '@tillstream/webhook-delivery';
import type { Statements } from './delivery.file.js';
import { nextDueAt } from './claims.sql.js';

/** Endpoints whose deliveries are counted: those with the longest due ones. */
const ENDPOINTS_MAX = 1_000;

const WAITING_ENDPOINTS = `SELECT number, enabled_at AS enabledAt FROM endpoints INDEXED BY endpoints_due
  WHERE enabled = 1 AND next_due_at IS NOT NULL ORDER BY next_due_at, number LIMIT ${ENDPOINTS_MAX}`;
const waiting = (when: '<=' | '>'): string => `SELECT 1 FROM deliveries d INDEXED BY deliveries_due
  WHERE d.endpoint = ? AND d.enabled_at = ? AND d.due_at ${when} ?
    AND NOT EXISTS (SELECT 1 FROM claims c WHERE c.delivery = d.number) LIMIT ?`;
const DUE = waiting('<=');
const LATER = waiting('>');

const HEALTH = `SELECT
    count(CASE WHEN enabled = 1 AND failing_since IS NULL THEN 1 END) AS Well,
    count(CASE WHEN enabled = 1 AND failing_since IS NOT NULL THEN 1 END) AS Failing,
    count(CASE WHEN enabled = 0 AND endpoint ->> 'disabledReason' IS NULL THEN 1 END) AS Disabled,
    count(CASE WHEN enabled = 0 AND endpoint ->> 'disabledReason' = 'Gone' THEN 1 END) AS DisabledGone,
    count(CASE WHEN enabled = 0 AND endpoint ->> 'disabledReason' = 'Failing' THEN 1 END) AS DisabledFailing,
    min(CASE WHEN enabled = 1 THEN failing_since END) AS failingSince
  FROM endpoints WHERE removed = 0`;

interface HealthRow extends Readonly<Record<EndpointHealth, number>> {
  readonly failingSince: number | null;
}

export function measure(sql: Statements, now: number, countMax: number): DeliveryMeasures {
  let [due, later] = [0, 0];
  for (const { number, enabledAt } of sql.all<{ number: number; enabledAt: number }>(WAITING_ENDPOINTS)) {
    if (due < countMax) due += sql.all(DUE, number, enabledAt, now, countMax - due).length;
    if (later < countMax) later += sql.all(LATER, number, enabledAt, now, countMax - later).length;
  }
  const oldestDueAt = nextDueAt(sql);
  const row = sql.get<HealthRow>(HEALTH);
  const { failingSince = null, ...endpoints } = row ?? NO_ENDPOINTS;
  return {
    ...{ due, later, endpoints },
    ...(oldestDueAt !== undefined && oldestDueAt <= now && { oldestDueAt }),
    ...(failingSince !== null && { failingSince }),
  };
}

const NO_ENDPOINTS: HealthRow = {
  ...{ Well: 0, Failing: 0, Disabled: 0, DisabledGone: 0, DisabledFailing: 0 },
  failingSince: null,
};
