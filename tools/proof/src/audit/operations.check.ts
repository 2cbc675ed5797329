import { isPending, type Operation, type Payment } from '@tillstream/domain';
import type { Evidence } from './deployment.audit.js';

export function operationsOf({
  histories,
}: Pick<Evidence, 'histories'>): { readonly payment: Payment; readonly operation: Operation }[] {
  return histories.flatMap(({ state }) =>
    state.status === 'None' ? [] : state.operations.map((operation) => ({ payment: state, operation })),
  );
}

/** Every operation has an outcome and belongs to one request; no request has two operations. */
export function operationErrors(evidence: Evidence): string[] {
  const complaints: string[] = [];
  const requests = new Set(evidence.requests.map(({ body }) => body.referenceId));
  const started = new Map<string, string>();
  for (const { operation } of operationsOf(evidence)) {
    const { id, kind, referenceId = '' } = operation;
    if (isPending(operation)) complaints.push(`${id} (${kind}) has no outcome: ${operation.progress.status}`);
    if (kind === 'Reversal') continue;
    if (!requests.has(referenceId)) complaints.push(`${id} (${kind}) has no request`);
    const first = started.get(referenceId);
    if (first !== undefined) complaints.push(`${first} and ${id} are one request, begun twice`);
    started.set(referenceId, id);
  }
  for (const { state } of evidence.histories) {
    if (state.status === 'None') continue;
    for (const { kind, operationId } of state.flags) {
      // movements.check.ts checks late executions.
      if (kind !== 'LateApproval' && kind !== 'LateRefund')
        complaints.push(`${operationId} is flagged ${kind}`);
    }
  }
  return complaints;
}
