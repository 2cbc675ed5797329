import { join } from 'node:path';
import { openSandbox } from '@tillstream/sandbox';
import type { ClientRequest } from '../support/client.request.js';
import type { Deployment } from '../support/deployment.js';
import { audit } from './audit.js';
import { withHistories } from './histories.js';
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
  return withHistories(deployment, async (histories) => {
    const payments = histories.all();
    const ledger = readLedger(deployment);
    const tokens = histories.tokens();
    const isKept = (tokenId: string): boolean => vaultSecretsOf(deployment.dataDir, tokenId).length > 0;
    return {
      complaints: [
        ...histories.damage,
        ...audit({ histories: payments, ...ledger, requests }),
        ...tokenErrors({ tokens, requests, isKept }),
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
