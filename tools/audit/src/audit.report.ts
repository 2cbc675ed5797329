import { ACCOUNTS, type AccountBalances } from '@tillstream/ledger';
import { formatCount } from '@tillstream/platform/command-line';
import type { AuditResult } from './audit.js';
import { CHECKS, money, NAMED_PER_CHECK_MAX, type CheckName, type OpenOutcome } from './findings.js';

/** The lines after the differences: what was compared, what is open, and the result of each check. */
export function summaryLines({ findings, counts }: AuditResult, checks: ReadonlySet<CheckName>): string[] {
  const { events, payments, batches, settlements, unfinished, movements, rows } = counts;
  const compared = [
    `${formatCount(events)} events`,
    `${formatCount(payments)} payments`,
    `${formatCount(batches)} batches`,
    `${formatCount(settlements)} settlements`,
    `${formatCount(movements)} movements of processors`,
    `${formatCount(rows)} rows`,
  ];
  const results = CHECKS.filter((check) => checks.has(check)).map((check) => {
    const count = findings.counts.get(check) ?? 0;
    const more = count > NAMED_PER_CHECK_MAX ? `, ${NAMED_PER_CHECK_MAX} named` : '';
    return `  ${check.padEnd(9)} ${count === 0 ? 'no difference' : `${formatCount(count)} different${more}`}`;
  });
  return [
    ...openLines(findings.open, findings.openCount),
    ...findings.notes,
    ...(unfinished > 0
      ? [`Batches that are still closing, whose settlements were not compared: ${unfinished}`]
      : []),
    `Compared ${compared.join(', ')}.`,
    ...results,
    findings.total === 0 ? 'No difference.' : `${formatCount(findings.total)} DIFFERENCES.`,
  ];
}

function openLines(open: readonly OpenOutcome[], count: number): string[] {
  if (count === 0) return [];
  const lines = open.map(
    ({ operationId, kind, amount, currency, since, processor }) =>
      `  ${operationId} ${kind} ${money(amount, currency)} since ${since}; the processor has ${processor}`,
  );
  const more = count > open.length ? [`  and ${formatCount(count - open.length)} more`] : [];
  return [`Open outcomes, which are no differences: ${formatCount(count)}`, ...lines, ...more];
}

/** The trial balance; debits are positive. */
export function balanceLines(all: readonly AccountBalances[]): string[] {
  return all.flatMap(({ merchantId, currency, balances }) => [
    `Balances of ${merchantId} in ${currency} (credits are negative):`,
    ...ACCOUNTS.filter((account) => balances[account] !== 0).map(
      (account) => `  ${account.padEnd(16)} ${money(balances[account]).padStart(16)}`,
    ),
  ]);
}

/** The whole result as JSON. */
export function jsonReport(
  { findings, counts, balances }: AuditResult,
  checks: ReadonlySet<CheckName>,
): string {
  const report = {
    clean: findings.total === 0,
    checks: Object.fromEntries([...checks].map((check) => [check, findings.counts.get(check) ?? 0])),
    compared: counts,
    differences: findings.differences,
    open: { count: findings.openCount, outcomes: findings.open },
    notes: findings.notes,
    balances,
  };
  return JSON.stringify(report, null, 2);
}
