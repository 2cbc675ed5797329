import { join } from 'node:path';
import { openSandbox, type Movement, type PaymentNet } from '@tillstream/sandbox';
import type { ClientRequest } from '../support/client.request.js';
import { describeRun, runTool } from '../processes/tool.process.js';
import type { Deployment } from '../support/deployment.js';
import { withHistories, type PaymentHistory } from './histories.js';
import { movementErrors } from './movements.check.js';
import { netAmountErrors } from './net-amounts.check.js';
import { operationErrors } from './operations.check.js';
import { responseErrors } from './responses.check.js';
import { tokenErrors } from './tokens.check.js';
import { vaultSecretsOf } from './vault.bytes.js';

export interface AuditReport {
  readonly complaints: readonly string[];
  readonly figures: Readonly<Record<string, number>>;
}

export async function auditDeployment(
  deployment: Deployment,
  requests: readonly ClientRequest[],
): Promise<AuditReport> {
  const commandErrors = await auditCommandErrors(deployment);
  const isKept = await vaultContent(deployment);
  return withHistories(deployment, async (histories) => {
    const payments = histories.all();
    const ledger = readLedger(deployment);
    const tokens = histories.tokens();
    return {
      complaints: [
        ...histories.damage,
        ...audit({ histories: payments, ...ledger, requests }),
        ...tokenErrors({ tokens, requests, isKept }),
        ...commandErrors,
      ],
      figures: {
        payments: payments.length,
        cards: tokens.filter(({ status }) => status === 'Active').length,
        operations: histories.paymentOperations().length,
        events: histories.events,
        movements: ledger.movements.length,
      },
    };
  });
}

const KEPT = `SELECT name FROM vault_subjects
  WHERE card_key IS NOT NULL OR personal_key IS NOT NULL OR card IS NOT NULL`;

/** Whether the vault holds anything of a card. */
async function vaultContent({ database, dataDir }: Deployment): Promise<(tokenId: string) => boolean> {
  if (!database) return (tokenId) => vaultSecretsOf(dataDir, tokenId).length > 0;
  const kept = new Set((await database<{ name: string }>(KEPT)).map(({ name }) => name));
  return (tokenId) => kept.has(tokenId);
}

/** `npm run audit` calculates the same from the events by another way, and finds nothing either. */
async function auditCommandErrors(deployment: Deployment): Promise<string[]> {
  const run = await runTool(deployment, 'audit', [deployment.dataDir]);
  return run.code === 0 ? [] : [`npm run audit: ${describeRun(run)}`];
}

export function readLedger({ dataDir, acquirerDir = dataDir, environment }: Deployment) {
  const sandbox = openSandbox({
    file: join(acquirerDir, 'sandbox.db'),
    processorDeadlineMs: Number(environment['PROCESSOR_DEADLINE_MS']),
    lateExecutionDelayMs: Number(environment['SANDBOX_BROKEN_WORD_DELAY_MS']),
  });
  try {
    return { movements: [...sandbox.ledger.entries()], nets: [...sandbox.ledger.nets()] };
  } finally {
    sandbox.close();
  }
}

export interface NamedReport extends AuditReport {
  readonly name: string;
}

/** Sums up the figures, or takes the slowest; each complaint gets the name of its report. */
export function mergeReports(reports: readonly NamedReport[]): AuditReport {
  const figures: Record<string, number> = {};
  for (const [name, value] of reports.flatMap((report) => Object.entries(report.figures))) {
    const before = figures[name] ?? 0;
    figures[name] = name.startsWith('slowest') ? Math.max(before, value) : before + value;
  }
  const complaints = reports.flatMap(({ name, complaints: all }) => all.map((text) => `${name}: ${text}`));
  return { complaints, figures };
}

/**
 * Everything that is visible from outside: the service's events, the acquirer's ledger, the clients' requests and
 * responses.
 */
export interface Evidence {
  readonly histories: readonly PaymentHistory[];
  /** Every movement of money in the acquirer's ledger. */
  readonly movements: readonly Movement[];
  /** The net amounts by the acquirer's own sums. */
  readonly nets: readonly PaymentNet[];
  readonly requests: readonly ClientRequest[];
}

/**
 * Compares events, ledger and responses. An empty result means: no payment is lost or charged twice, every movement of
 * money is in both, every operation has an outcome, and every response was true.
 */
export function audit(evidence: Evidence): string[] {
  return [
    ...operationErrors(evidence),
    ...movementErrors(evidence),
    ...netAmountErrors(evidence),
    ...responseErrors(evidence),
  ];
}
