import { isPending, type Operation, type Payment } from '@tillstream/domain';
import type { Evidence } from './audit.js';

export interface Found {
  readonly payment: Payment;
  readonly operation: Operation;
}

export function operationsOf({ histories }: Pick<Evidence, 'histories'>): Found[] {
  return histories.flatMap(({ state }) =>
    state.status === 'None' ? [] : state.operations.map((operation) => ({ payment: state, operation })),
  );
}

/** None without an outcome, none that nobody asked for, none asked for once and begun twice, no limit broken. */
export function wrongOperations(evidence: Evidence): string[] {
  const complaints: string[] = [];
  const asked = new Set(evidence.asked.map(({ body }) => body.referenceId));
  const begun = new Map<string, string>();
  for (const { operation } of operationsOf(evidence)) {
    const { id, kind, referenceId = '' } = operation;
    if (isPending(operation)) complaints.push(`${id} (${kind}) has no outcome: ${operation.progress.status}`);
    if (kind === 'Reversal') continue;
    if (!asked.has(referenceId)) complaints.push(`${id} (${kind}) was asked for by nobody`);
    const first = begun.get(referenceId);
    if (first !== undefined) complaints.push(`${first} and ${id} are one request, begun twice`);
    begun.set(referenceId, id);
  }
  for (const { state } of evidence.histories) {
    if (state.status === 'None') continue;
    for (const { kind, operationId } of state.flags) {
      // An approval found late is told apart below: it counts where it was not undone.
      if (kind !== 'LateApproval' && kind !== 'LateRefund')
        complaints.push(`${operationId} is flagged ${kind}`);
    }
  }
  return complaints;
}
