import { join } from 'node:path';
import { openSandbox, type Movement, type PaymentNet } from '@tillstream/sandbox';
import type { ClientRequest } from '../support/client.request.js';
import { audit } from './audit.js';
import { tokenErrors } from './tokens.check.js';
import { withHistories } from './histories.js';
import type { Deployment } from '../support/deployment.js';
import { vaultSecretsOf } from './vault.bytes.js';

export interface AuditReport {
  readonly complaints: readonly string[];
  readonly payments: number;
  /** Cards that are stored in the end. */
  readonly cards: number;
  readonly operations: number;
  readonly events: number;
  readonly movements: number;
}

/** Audits the files of a deployment. Call it when all processes on them have ended. */
export async function auditDeployment(
  deployment: Deployment,
  requests: readonly ClientRequest[],
): Promise<AuditReport> {
  return withHistories(deployment, async (histories) => {
    await histories.read();
    const payments = histories.all();
    const ledger = readLedger(deployment);
    const tokens = histories.tokens();
    const isKept = (tokenId: string): boolean => vaultSecretsOf(deployment.dataDir, tokenId).length > 0;
    const complaints = [
      ...histories.damage,
      ...audit({ histories: payments, ...ledger, requests }),
      ...tokenErrors({ tokens, requests, isKept }),
    ];
    const operations = payments.reduce((sum, { state }) => {
      return sum + (state.status === 'None' ? 0 : state.operations.length);
    }, 0);
    return {
      complaints,
      payments: payments.length,
      cards: tokens.filter(({ status }) => status === 'Active').length,
      operations,
      events: histories.events,
      movements: ledger.movements.length,
    };
  });
}

export function readLedger({ dataDir, acquirerDir = dataDir, environment }: Deployment): {
  readonly movements: readonly Movement[];
  readonly nets: readonly PaymentNet[];
} {
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

/** Sums up reports; each complaint gets the name of its report. */
export function mergeReports(
  report: readonly (AuditReport & { readonly name: string })[],
): AuditReport & { readonly complaints: string[] } {
  const sum = (of: (one: AuditReport) => number): number => report.reduce((total, one) => total + of(one), 0);
  return {
    complaints: report.flatMap(({ name, complaints }) => complaints.map((text) => `${name}: ${text}`)),
    payments: sum(({ payments }) => payments),
    cards: sum(({ cards }) => cards),
    operations: sum(({ operations }) => operations),
    events: sum(({ events }) => events),
    movements: sum(({ movements }) => movements),
  };
}
