import type { FeeCharge, SettledTransaction, Settlement, SettlementSummary } from '@tillstream/contracts';

/*
 * The texts of rows of settlements and fees, as they were at a time. No other row is needed: the facts only grow, and a row has
 * the times of them, so that what came later is left out. `asOf` is RFC 3339; undefined: now.
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
