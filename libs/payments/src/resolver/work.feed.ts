import { paymentCodec, PAYMENT_CATEGORY, type OperationId, type PaymentEvent } from '@tillstream/domain';
import type { EventStore, Position, RecordedEvent } from '@tillstream/event-store';
import { fromRecorded, metadataOf } from '../event-metadata.js';
import type { OpenWorkStore, Work, WorkChange, WorkKind } from '../open-work.port.js';
import type { Timings } from '../timings.js';

/** A page is parsed in one go: small ones leave the event loop its turns. */
const PAGE = 100;

export const workId = (kind: WorkKind, operationId: OperationId): string => `${kind}:${operationId}`;

/**
 * Reads on from the table's checkpoint to the head of the store. What begins and ends within a page never touches the
 * table. Gives false where another process fed it meanwhile.
 */
export async function feedOpenWork(
  store: EventStore,
  table: OpenWorkStore,
  timings: Timings,
): Promise<boolean> {
  for (;;) {
    const from = await table.checkpoint();
    const page = await store.readAll({
      ...(from && { after: from }),
      categories: [PAYMENT_CATEGORY],
      limit: PAGE,
    });
    if (page.next === undefined || page.next === from) return true;
    const moved = await table.advance(changesOf(page.events, timings), from, page.next as Position);
    if (!moved) return false;
    if (page.end) return true;
    await new Promise((resume) => setImmediate(resume));
  }
}

/** The last word on each piece of work, in the order of their first mention. */
function changesOf(events: readonly RecordedEvent[], timings: Timings): WorkChange[] {
  const last = new Map<string, WorkChange>();
  for (const recorded of events) {
    const { merchantId, realTime } = metadataOf(recorded);
    for (const change of workOf(fromRecorded(paymentCodec, recorded), Date.parse(realTime), timings)) {
      const id = change.kind === 'Put' ? change.work.id : change.id;
      last.set(id, change.kind === 'Put' ? { kind: 'Put', work: { ...change.work, merchantId } } : change);
    }
  }
  return [...last.values()];
}

/** A function of the event alone: the table can be thrown away and made again. */
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
      return event.data.cause === 'NoAnswer' ? [put('Outcome', id, 'Real', dueAt, since)] : [];
    }
    case 'Authorized':
      return event.data.expiresAt === undefined
        ? [over('Outcome', id)]
        : [over('Outcome', id), put('Expiry', id, 'Service', Date.parse(event.data.expiresAt), since)];
    case 'NotExecuted':
    case 'NotSent':
      // Whoever broke its word is found out.
      return [
        over('Outcome', id),
        put('LateCheck', id, 'Service', since + (timings.lateChecks[0] ?? 0), since),
      ];
    case 'LateApprovalFound':
      return [over('LateCheck', id), put('Reversal', id, 'Service', since, since)];
    case 'ReversalRequested':
      return event.data.cause === 'LateApproval' ? [over('Reversal', event.data.originalOperationId)] : [];
    case 'AuthorizationExpired':
      return [over('Expiry', id)];
    case 'Captured':
    case 'Refunded':
    case 'Voided':
    case 'Reversed':
    case 'Declined':
    case 'Cancelled':
    case 'FormExpired':
    case 'TryFailed':
    case 'Submitted':
    case 'ChallengeOpened':
      return [over('Outcome', id)];
    case 'ChallengeEnded':
      return event.data.resumes
        ? [put('Outcome', id, 'Real', Date.parse(event.data.resumes.answerBefore) + timings.margin, since)]
        : [];
    case 'SaleRequested':
    case 'AuthorizationRequested':
    case 'CaptureRequested':
    case 'RefundRequested':
    case 'VoidRequested':
    case 'ResendRequested': // by the one who has the work in hand
    case 'Batched':
    case 'BankReturned':
    case 'NoticeOfChangeReceived':
      return [];
  }
}

function put(
  kind: WorkKind,
  operationId: OperationId,
  clock: Work['clock'],
  dueAt: number,
  since: number,
): WorkChange {
  return {
    kind: 'Put',
    work: { id: workId(kind, operationId), kind, operationId, clock, dueAt, step: 0, since },
  };
}

function over(kind: WorkKind, operationId: OperationId): WorkChange {
  return { kind: 'Remove', id: workId(kind, operationId) };
}
