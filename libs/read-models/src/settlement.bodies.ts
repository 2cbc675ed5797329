import type { FeeCharge, SettledTransaction, Settlement, SettlementSummary } from '@tillstream/contracts';

/*
 * The body of a row of settlements or fees as it was at `asOf` (RFC 3339; undefined: now). A body has the time of each later fact,
 * such as the funding: facts after `asOf` are left out, and no other row is needed.
 */

/** Of a `SettlementSummary`. */
export function settlementBodyAsOf(body: string, asOf: string | undefined): string {
  if (asOf === undefined) return body;
  const { fundedAt, ...pending } = JSON.parse(body) as SettlementSummary;
  return isLater(fundedAt, asOf) ? JSON.stringify({ ...pending, status: 'Pending' }) : body;
}

/** Of a `FeeCharge`. */
export function feeChargeBodyAsOf(body: string, asOf: string | undefined): string {
  if (asOf === undefined) return body;
  const { chargedAt, ...pending } = JSON.parse(body) as FeeCharge;
  return isLater(chargedAt, asOf)
    ? JSON.stringify({ ...pending, status: 'Pending', settlementId: null })
    : body;
}

/** Of a `Settlement`, from its summary and its lines. */
export function settlementBody(summary: string, lines: string): string {
  const parsed = JSON.parse(lines) as Settlement['lines'];
  return JSON.stringify({
    ...(JSON.parse(summary) as SettlementSummary),
    lines: parsed,
  } satisfies Settlement);
}

/** When the settlement of a `SettlementSummary` was funded. */
export function fundedAtOf(body: string): string | undefined {
  return (JSON.parse(body) as SettlementSummary).fundedAt;
}

/** The settlement of a `SettledTransaction`. */
export function settlementIdOfBody(body: string): string {
  return (JSON.parse(body) as SettledTransaction).settlement.id;
}

/** A `SettledTransaction` with the time at which its settlement was funded. */
export function withFundedAt(body: string, fundedAt: string | undefined, asOf: string | undefined): string {
  if (fundedAt === undefined || isLater(fundedAt, asOf)) return body;
  const transaction = JSON.parse(body) as SettledTransaction;
  return JSON.stringify({ ...transaction, settlement: { ...transaction.settlement, fundedAt } });
}

function isLater(time: string | undefined, asOf: string | undefined): boolean {
  return time !== undefined && asOf !== undefined && Date.parse(time) > Date.parse(asOf);
}
