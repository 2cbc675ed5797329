import type { Metrics } from './metrics.js';
import type { Tracing } from './tracing.js';

/** The result of a call, whatever its operation does later. */
export type CallResult =
  | 'approved'
  | 'declined'
  | 'cancelled'
  | 'expired'
  /** A bank or a customer has to decide. */
  | 'pending'
  /** The outcome is not known. */
  | 'interrupted'
  /** Refused before anything was sent to the processor, and recorded so. */
  | 'not_sent'
  /** Nothing was stored: the request did not fit, or the store did not take it. */
  | 'refused'
  | 'not_stored'
  | 'contended'
  | 'failed';

/** How the use case that starts an operation is counted, and the name of its step in traces. */
export interface ObservedOperation {
  readonly type: string;
  readonly span: string;
}

/** Runs the use case; counts its outcome and makes it a step of the request's trace. */
export function observedOperation<Result>(
  { type, span }: ObservedOperation,
  run: () => Promise<Result>,
  { operations }: Pick<Metrics, 'operations'>,
  tracing: Tracing,
): Promise<Result> {
  const counted = async (): Promise<Result> => {
    try {
      const result = await run();
      operations.labels(type, callResult(result as OperationResult)).inc();
      return result;
    } catch (error) {
      operations.labels(type, 'failed').inc();
      throw error;
    }
  };
  return tracing.enabled ? tracing.step(span, {}, counted) : counted();
}

/** The members that results of use cases share. */
interface OperationResult {
  readonly kind?: string;
  readonly payment?: Operations;
  readonly token?: Operations;
  readonly operationId?: string;
}

interface Operations {
  readonly operations: readonly { readonly id: string; readonly progress: { readonly status: string } }[];
}

function callResult({ kind, payment, token, operationId }: OperationResult): CallResult {
  switch (kind) {
    case 'Rejected':
      return 'refused';
    case 'Interrupted':
    case 'Uncertain':
      return 'interrupted';
    case 'NotSent':
      return 'not_sent';
    case 'NotStored':
      return 'not_stored';
    case 'Contended':
    case 'KeyTaken':
      return 'contended';
    default: {
      const operation = (payment ?? token)?.operations.find(({ id }) => id === operationId);
      return RESULT_BY_STATUS[operation?.progress.status ?? ''] ?? 'pending';
    }
  }
}

const RESULT_BY_STATUS: Readonly<Record<string, CallResult>> = {
  Approved: 'approved',
  Declined: 'declined',
  NotExecuted: 'declined',
  Cancelled: 'cancelled',
  FormExpired: 'expired',
  NotSent: 'not_sent',
  Interrupted: 'interrupted',
};
