import type { OperationId, OutcomeSource, PaymentEvent } from '@tillstream/domain';
import type { WorkChange } from '../open-work.port.js';
import type { Timings } from '../timings.js';
import { interrupted, over, put } from './work.change.js';

/** What an event of a payment leaves to be done, or makes an end of. */
export function workOf(event: PaymentEvent, realTime: number, timings: Timings): WorkChange[] {
  const { operationId: id, at } = event.data;
  const since = Date.parse(at);
  switch (event.type) {
    case 'UnreferencedRefundRequested':
      return [put('RefundLimit', id, 'Service', since + timings.margin, since)];
    case 'TryRequested':
      return [put('Outcome', id, 'Real', Date.parse(event.data.answerBefore) + timings.margin, since)];
    case 'Interrupted': {
      // The caller has given up, perhaps long before a terminal's deadline: its host did not answer.
      const dueAt = realTime + timings.sendWithin + timings.margin;
      return event.data.cause === 'NoAnswer' ? [interrupted(id, dueAt, since)] : [];
    }
    case 'Authorized': {
      const { expiresAt, source } = event.data;
      const expiry = expiresAt !== undefined && put('Expiry', id, 'Service', Date.parse(expiresAt), since);
      return [...ended(id, source), ...(expiry ? [expiry] : [])];
    }
    case 'NotSent':
      return [over('Outcome', id), lookAgainAt(id, since, timings)];
    case 'NotExecuted':
      return [...ended(id, event.data.source), lookAgainAt(id, since, timings)];
    case 'Declined': {
      const { source } = event.data;
      // A processor's own word is not asked for again, but a person may be mistaken.
      return [...ended(id, source), ...(source === 'Operator' ? [lookAgainAt(id, since, timings)] : [])];
    }
    case 'LateApprovalFound':
      return [
        over('LateCheck', id),
        put('Reversal', id, 'Service', since, since),
        { kind: 'Count', what: 'LateApproval', by: 1 },
      ];
    case 'Captured':
    case 'Refunded':
    case 'Voided':
    case 'Reversed':
    case 'Cancelled':
    case 'TryFailed':
      return ended(id, event.data.source);
    case 'FormExpired':
      return [over('Outcome', id)];
    case 'Submitted':
      return [over('Outcome', id), put('Answer', id, 'Service', since + timings.bankAnswerWithin, since)];
    case 'ChallengeOpened':
      return [over('Outcome', id), put('Answer', id, 'Service', Date.parse(event.data.expiresAt), since)];
    case 'ChallengeEnded': {
      // Without `resumes` the processor goes on by itself, and an inquiry finds what a notice does not bring.
      const answerBefore = event.data.resumes
        ? Date.parse(event.data.resumes.answerBefore)
        : realTime + timings.processorDeadline;
      return [put('Outcome', id, 'Real', answerBefore + timings.margin, since)];
    }
    case 'SaleRequested':
    case 'AuthorizationRequested':
    case 'CaptureRequested':
    case 'RefundRequested':
    case 'VoidRequested':
    case 'Batched':
    case 'LeftForNextBatch':
    case 'BankReturned':
    case 'NoticeOfChangeReceived':
    case 'ChargebackReceived':
    // By whoever has the work in hand, until the processor has answered.
    case 'ResendRequested':
    case 'ReversalRequested':
    case 'AuthorizationExpired':
      return [];
  }
}

/** What was promised for later never comes as the answer to the call: only then there is such a wait to end. */
function ended(id: OperationId, source: OutcomeSource): WorkChange[] {
  return source === 'Answer' ? [over('Outcome', id)] : [over('Outcome', id), over('Answer', id)];
}

const SALE_THAT_IS_OVER = 'SaleRequested TryRequested Authorized Captured';

/**
 * Of all events of a stream, by their types alone: that `workOf` leaves nothing of them, whatever their data say. Most
 * payments are so a moment after they began. Only an authorization's approval expires, and no capture follows it at once.
 */
export function leavesNothing(types: readonly string[]): boolean {
  return types.join(' ') === SALE_THAT_IS_OVER;
}

/** Whoever broke its word is found out. */
function lookAgainAt(id: OperationId, since: number, timings: Timings): WorkChange {
  return put('LateCheck', id, 'Service', since + (timings.lateChecks[0] ?? 0), since);
}
