import {
  expireAuthorization,
  reverseLateApproval,
  type Operation,
  type PaymentEvent,
} from '@tillstream/domain';
import { newCommandId } from '../identifiers.js';
import { iso } from '../ports/clock.port.js';
import { sendAttempt } from './attempt-inquiry.js';
import { startAttempt } from '../attempts/send-window.js';
import type { Parts } from '../parts.js';
import type { PaymentContext } from './operation.context.js';
import type { WorkItemResult } from './work-item.schedule.js';

/** Reverses a late execution. */
export function reverse(parts: Parts, found: PaymentContext): Promise<WorkItemResult> {
  return reverseOperation(parts, found, reverseLateApproval);
}

/** Ends an authorization whose time is over, and reverses what was not captured. */
export function expire(parts: Parts, found: PaymentContext): Promise<WorkItemResult> {
  return reverseOperation(parts, found, expireAuthorization);
}

/**
 * Appends the reversal, then sends it. If this process dies in between, the reversal is an operation with an unknown
 * outcome. While its processor is not configured no reversal starts: the resolver would give it up after a week.
 */
async function reverseOperation(
  parts: Parts,
  { merchant, loaded, operation, cause }: PaymentContext,
  decide: typeof reverseLateApproval,
): Promise<WorkItemResult> {
  const start = startAttempt(parts);
  const command = {
    at: iso(parts.clock.now()),
    commandId: newCommandId(),
    operationId: operation.id,
    sendWindow: start.window,
  };
  const planned = decide(loaded.state, command);
  if (planned.kind === 'Accepted' && !isConfigured(parts, operation, planned.events)) return 'Unconfigured';
  const written = await parts.payments.transact(loaded, cause, (state) => decide(state, command));
  // The reversal can follow once the original has an outcome. The domain would repeat every other rejection.
  if (written.kind === 'Rejected')
    return written.rejection.code === 'OriginalUndecided' ? 'Again' : 'Operator';
  if (written.kind === 'Contended') return 'Again';
  if (written.events.length === 0) return 'Done';
  const { loaded: appended, value: operationId } = written;
  const outcome = await sendAttempt(
    parts.paymentSender,
    { merchant, loaded: appended, cause },
    operationId,
    start,
  );
  // An unknown outcome of the reversal has a work item of its own.
  return outcome === 'Again' ? 'Done' : outcome;
}

function isConfigured(
  { processors, log }: Parts,
  { id: operationId }: Operation,
  events: readonly PaymentEvent[],
): boolean {
  const attempt = events.find((event) => event.type === 'TryRequested')?.data;
  if (!attempt || processors.named(attempt.processor)) return true;
  log.error('processor-not-configured', { operationId, reason: attempt.processor });
  return false;
}
