/** How the use case that starts an operation is counted, and the name of its step in traces. */
export interface ObservedOperation {
  readonly type: string;
  readonly span: string;
}

/** The members that results of use cases share. */
export interface OperationResult {
  readonly kind?: string;
  readonly payment?: Operations;
  readonly token?: Operations;
  readonly operationId?: string;
}

interface Operations {
  readonly operations: readonly { readonly id: string; readonly progress: { readonly status: string } }[];
}

/** The result of the call. What its operation does later does not change it. */
export function callResult({ kind = '', payment, token, operationId }: OperationResult): string {
  const byKind = RESULT_BY_KIND[kind];
  if (byKind !== undefined) return byKind;
  const operation = (payment ?? token)?.operations.find(({ id }) => id === operationId);
  return RESULT_BY_STATUS[operation?.progress.status ?? ''] ?? 'pending';
}

const RESULT_BY_KIND: Readonly<Record<string, string>> = {
  Rejected: 'refused',
  Interrupted: 'interrupted',
  Uncertain: 'interrupted',
  /** Recorded, and refused before anything was sent to the processor. */
  NotSent: 'not_sent',
  NotStored: 'not_stored',
  Contended: 'contended',
  KeyTaken: 'contended',
};

const RESULT_BY_STATUS: Readonly<Record<string, string>> = {
  Approved: 'approved',
  Declined: 'declined',
  NotExecuted: 'declined',
  Cancelled: 'cancelled',
  FormExpired: 'expired',
  NotSent: 'not_sent',
  Interrupted: 'interrupted',
};
