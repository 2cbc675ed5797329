import { join } from 'node:path';
import type { PaymentEvent } from '@tillstream/domain';
import { openSqliteEventStore } from '@tillstream/event-store-sqlite';
import { attemptErrors } from '../audit/attempts.check.js';
import { readLedger, type AuditReport } from '../audit/deployment.audit.js';
import { readEvents, withHistories, type PaymentHistory } from '../audit/histories.js';
import { movementErrors } from '../audit/movements.check.js';
import { netAmountErrors } from '../audit/net-amounts.check.js';
import { ApiClient, describeResponse } from '../support/api.client.js';
import { poll } from '../support/concurrency.js';
import { sandboxFacts, type Deployment } from '../support/deployment.js';
import type { BankClient, BankSale } from './bank.client.js';

const LISTED_TIMEOUT_MS = 20_000;

/** What the merchant's list shows as not answered, though the bank has answered everything. */
export async function processingIn(deployment: Deployment, origin: string): Promise<string[]> {
  const api = new ApiClient(sandboxFacts(deployment));
  const answer = await poll(
    () => api.send(origin, 'GET', '/v1/transactions?status=Processing&limit=1'),
    (listed) => listed?.status === 200 && listed.text.includes('"data":[]'),
    LISTED_TIMEOUT_MS,
  );
  const isEmpty = answer?.text.includes('"data":[]') ?? false;
  return isEmpty ? [] : [`the list shows as Processing: ${describeResponse(answer)}`];
}

/** Compares sales, events and the bank's ledger. Call it when all processes have ended and nothing is due. */
export function auditBank(deployment: Deployment, { sales, refunds }: BankClient): Promise<AuditReport> {
  return withHistories(deployment, async (histories) => {
    const payments = histories.all();
    const { movements, nets } = readLedger(deployment);
    const evidence = { histories: payments, movements, nets, requests: [] };
    const byId = new Map(payments.map((history) => [openingOf(history), history]));
    const taken = payments.flatMap(({ events }) => events.filter(({ type }) => type === 'RefundRequested'));
    return {
      complaints: [
        ...histories.damage,
        ...histories.open().map((id) => `${id} has no outcome`),
        ...movementErrors(evidence),
        ...netAmountErrors(evidence),
        ...attemptErrors(payments),
        ...payments.flatMap(balanceErrors),
        ...sales.flatMap((sale) => saleErrors(sale, byId.get(sale.id))),
        ...(await noticeErrors(deployment)),
        ...(taken.length === refunds ? [] : [`${refunds} refunds were taken, ${taken.length} are in events`]),
      ],
      figures: {
        sales: sales.length,
        refunds,
        returns: movements.filter(({ kind }) => kind === 'Returned').length,
        events: histories.events,
        movements: movements.length,
      },
    };
  });
}

function openingOf({ events: [first] }: PaymentHistory): string {
  return first?.data.operationId ?? '';
}

/** The outcome is that of the account, and each return and notice of change is there once. */
function saleErrors({ id, amount, fate }: BankSale, history: PaymentHistory | undefined): string[] {
  if (!history) return [`${id} was answered, and is in no history`];
  const { responseCode, isReturned = false, isChanged = false } = fate;
  const isApproved = responseCode === 1;
  const own = history.events.filter(({ data }) => data.operationId === id);
  const outcomes = own.flatMap((event) => {
    if (event.type === 'Captured') return [`1 ${event.data.amount}`];
    return event.type === 'Declined' ? [`${event.data.responseCode} 0`] : [];
  });
  const expected = `${responseCode} ${isApproved ? amount : 0}`;
  const count = (type: PaymentEvent['type']): number => own.filter((event) => event.type === type).length;
  return [
    ...(outcomes.join() === expected ? [] : [`${id} ended with ${outcomes.join()}, not with ${expected}`]),
    ...(count('Submitted') === 1 ? [] : [`${id} was accepted ${count('Submitted')} times`]),
    ...countErrors(id, 'BankReturned', count('BankReturned'), isReturned),
    ...countErrors(id, 'NoticeOfChangeReceived', count('NoticeOfChangeReceived'), isChanged),
  ];
}

function countErrors(id: string, what: string, count: number, isExpected: boolean): string[] {
  return count === Number(isExpected) ? [] : [`${id} has ${count} ${what} instead of ${Number(isExpected)}`];
}

/** By the events alone. Only a return may take more than there was, and then the payment is flagged. */
function balanceErrors({ stream, events, state }: PaymentHistory): string[] {
  let open = 0;
  for (const { type, data } of events) {
    if (type === 'Captured') open += data.amount;
    if (type === 'Refunded' || type === 'BankReturned') open -= data.amount;
  }
  const flags = state.status === 'None' ? [] : state.flags.map(({ kind }) => kind);
  return open < 0 && !flags.includes('OverRefunded')
    ? [`${stream}: ${-open} more went back than was paid`]
    : [];
}

/** A notice that no payment could take at once is stored, and applied later. */
async function noticeErrors({ dataDir }: Deployment): Promise<string[]> {
  const store = await openSqliteEventStore({ file: join(dataDir, 'events.db'), readOnly: true });
  const waiting = new Set<string>();
  try {
    await readEvents(
      store,
      ({ type, stream }) => {
        if (type === 'NoticeReceived') waiting.add(stream);
        else waiting.delete(stream);
      },
      { categories: ['processornotice'] },
    );
  } finally {
    await store.close();
  }
  return [...waiting].map((stream) => `${stream} was never applied`);
}
