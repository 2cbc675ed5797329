import type { Payments, StoredCards } from '@tillstream/payments';
import type { Metrics } from './metrics.js';
import type { Tracing } from './tracing.js';

/** By the use case that is called: what an operation is counted as. */
const TYPES: Readonly<Record<string, string>> = {
  physicalSale: 'sale',
  virtualSale: 'sale',
  tokenSale: 'sale',
  physicalAuth: 'auth',
  virtualAuth: 'auth',
  tokenAuth: 'auth',
  capture: 'capture',
  refund: 'refund',
  void: 'void',
  unreferencedPhysicalRefund: 'unreferenced_refund',
  unreferencedVirtualRefund: 'unreferenced_refund',
  storeFromTerminal: 'token_create',
  update: 'token_update',
  remove: 'token_remove',
};

/** How a call ended, whatever its operation does later. */
export type CallResult =
  | 'approved'
  | 'declined'
  | 'cancelled'
  | 'expired'
  /** A bank or a customer has the last word. */
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

type UseCase = (...given: readonly unknown[]) => Promise<unknown>;

/** The same use cases: those that begin operations are counted, and are steps of the request's trace. */
export function observedOperations<UseCases extends Payments | StoredCards>(
  useCases: UseCases,
  { operations }: Pick<Metrics, 'operations'>,
  tracing: Tracing,
): UseCases {
  const observed: Record<string, unknown> = { ...useCases };
  for (const [name, type] of Object.entries(TYPES)) {
    const useCase = observed[name];
    if (typeof useCase !== 'function') continue;
    const called = useCase as UseCase;
    const counted: UseCase = async (...given) => {
      try {
        const result = await called(...given);
        operations.withLabels(type, callResult(result as Result)).inc();
        return result;
      } catch (error) {
        operations.withLabels(type, 'failed').inc();
        throw error;
      }
    };
    observed[name] = tracing.enabled
      ? (...given: readonly unknown[]) => tracing.step(name, {}, () => counted(...given))
      : counted;
  }
  return observed as unknown as UseCases;
}

/** What results of use cases have in common. */
interface Result {
  readonly kind?: string;
  readonly payment?: Operations;
  readonly token?: Operations;
  readonly operationId?: string;
}

interface Operations {
  readonly operations: readonly { readonly id: string; readonly progress: { readonly status: string } }[];
}

function callResult({ kind, payment, token, operationId }: Result): CallResult {
  switch (kind) {
    case 'Refused':
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
