import { findOperation, isOpenAttempt, type OperationId, type PaymentState } from '@tillstream/domain';
import type { AttemptRecord, DefiniteResponse, ReturnRecord } from '@tillstream/processors';
import { iso } from '../ports/clock.port.js';
import { parseAttemptKey, type AttemptKey } from './payment.records.js';
import type { KnownOutcome, ReconciliationFinding } from './reconciliation.types.js';

/** Compares an attempt with the payment. Undefined: both say the same. */
export function compareAttempt(
  state: PaymentState,
  record: AttemptRecord & AttemptKey,
): ReconciliationFinding | undefined {
  const processor = processorOutcome(record.answer);
  const history = historyOutcome(state, record.operationId, record.number);
  const found = { ...findingOf(record), processor };
  if (!history) return { ...found, kind: 'MissingInHistory' };
  if (history === 'NoOutcome') {
    return { ...found, kind: 'NoOutcome', history: { outcome: 'no outcome', amount: 0 } };
  }
  // A void that came after the processor's batch is no outcome of its own: the next attempt has it.
  const isSame = history.amount === processor.amount || record.answer.kind === 'ProcessorBatchClosed';
  return isSame ? undefined : { ...found, kind: 'Differs', history };
}

/** Undefined: the payment has the return. */
export function compareReturn(state: PaymentState, record: ReturnRecord): ReconciliationFinding | undefined {
  const { operationId } = parseAttemptKey(record.originalKey);
  const operation = findOperation(state, operationId);
  if (operation?.returns.some(({ id }) => id === record.returnId)) return undefined;
  const { returnId: key, merchantId, currency, amount, at, code } = record;
  const processor = { outcome: `returned ${code}`, amount };
  return {
    kind: 'MissingInHistory',
    key,
    operation: 'Return',
    merchantId,
    currency,
    amount,
    at: iso(at),
    processor,
  };
}

function findingOf({ key, executedAs, merchantId, currency, amount, at }: AttemptRecord) {
  return { key, operation: executedAs, merchantId, currency, amount, at: iso(at) };
}

function processorOutcome(answer: DefiniteResponse): KnownOutcome {
  if (answer.kind === 'Approved') return { outcome: 'approved', amount: answer.amount };
  const outcomes = { Submitted: 'submitted', Declined: 'declined' } as const;
  const outcome = answer.kind in outcomes ? outcomes[answer.kind as keyof typeof outcomes] : 'not executed';
  return { outcome, amount: 0 };
}

/** Undefined: the history does not have the attempt. */
function historyOutcome(
  state: PaymentState,
  operationId: OperationId,
  number: number,
): KnownOutcome | 'NoOutcome' | undefined {
  const operation = findOperation(state, operationId);
  const requested = operation?.attempt?.number ?? 0;
  if (!operation || requested < number) return undefined;
  const late = operation.lateApprovals.find((one) => one.try === number);
  if (late) return { outcome: 'executed late', amount: late.amount };
  // Also a bank's payment that waits for its final answer.
  if (isOpenAttempt(operation, number)) return 'NoOutcome';
  const response = operation.responses.find(({ outcome }) => outcome.try === number);
  if (!response) return { outcome: 'not executed', amount: 0 };
  const { amountApproved: amount } = response;
  return { outcome: amount > 0 ? 'approved' : 'declined', amount };
}
