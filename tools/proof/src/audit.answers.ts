import type { Operation } from '@tillstream/domain';
import { isDefinite, namedOperation, saidError, saidTransaction, type Asked, type Heard } from './asked.js';
import type { Evidence } from './audit.js';
import { operationsOf } from './audit.operations.js';

/** What clients were told against what is: no acknowledged operation is lost, other than it was said, or said twice. */
export function wrongAnswers(evidence: Evidence): string[] {
  const byId = new Map<string, Operation>();
  const byReference = new Map<string, Operation>();
  for (const { operation } of operationsOf(evidence)) {
    byId.set(operation.id, operation);
    if (operation.referenceId !== undefined) byReference.set(operation.referenceId, operation);
  }
  const begunAt = beginnings(evidence);
  return evidence.asked.flatMap((asked) => [
    ...severalAnswers(asked),
    ...denials(asked, byReference.get(asked.body.referenceId), begunAt),
    // What comes of a card that is to be stored is looked at in audit.tokens.ts.
    ...asked.heard.flatMap((heard) =>
      asked.kind === 'StoreCard'
        ? []
        : wrongAnswer(asked, heard, byId, byReference.get(asked.body.referenceId)),
    ),
  ]);
}

/** When each operation was decided, real time, ms. */
function beginnings({ histories }: Pick<Evidence, 'histories'>): ReadonlyMap<string, number> {
  const begun = new Map<string, number>();
  for (const { events, times } of histories) {
    for (const [index, { data }] of events.entries()) {
      if (!begun.has(data.operationId)) begun.set(data.operationId, times[index] ?? 0);
    }
  }
  return begun;
}

/** "Rejected" is said of nothing that had begun by then, unless history says that it was never sent. */
function denials(
  { key, heard }: Asked,
  begun: Operation | undefined,
  begunAt: ReadonlyMap<string, number>,
): string[] {
  if (!begun || begun.progress.status === 'NotSent') return [];
  const since = begunAt.get(begun.id) ?? Number.POSITIVE_INFINITY;
  return heard
    .filter((one) => one.status === 500 && saidError(one)?.status === 'Rejected' && since <= one.heardAt)
    .map((one) => `${key}: told "Rejected" (${saidError(one)?.code}), but ${begun.id} had begun`);
}

/**
 * One key, one operation, one set of bytes. Once it is known or kept, an answer is the same for ever; an "unknown" out
 * of the history is neither.
 */
function severalAnswers({ key, heard }: Asked): string[] {
  const complaints: string[] = [];
  const ids = new Set(heard.map(namedOperation).filter((id) => id !== undefined));
  if (ids.size > 1) complaints.push(`${key}: answered with ${[...ids].join(' and ')}`);
  const successes = new Set(heard.filter(({ status }) => status === 200).map(({ text }) => text));
  if (successes.size > 1) complaints.push(`${key}: its 200s differ: ${[...successes].join('\n')}`);
  for (const last of heard.filter(({ status, replayed }) => status === 200 || replayed)) {
    const other = heard.find(({ sentAt, text }) => sentAt > last.heardAt && text !== last.text);
    if (other) complaints.push(`${key}: answered ${last.status}, and later ${other.status}: ${other.text}`);
  }
  return complaints;
}

function wrongAnswer(
  asked: Asked,
  heard: Heard,
  byId: ReadonlyMap<string, Operation>,
  begun: Operation | undefined,
): string[] {
  const { key, kind, body } = asked;
  const said = saidTransaction(heard);
  if (!said) return wrongRefusal(asked, heard, begun);
  const operation = byId.get(said.id);
  if (!operation) return [`${key}: 200 for ${said.id}, which is in no history`];
  const complaints: string[] = [];
  const differ = (what: string, told: unknown, is: unknown): void => {
    if (told !== is)
      complaints.push(`${key}: ${said.id} was told with ${what} ${String(told)}, it is ${String(is)}`);
  };
  differ('type', said.type, operation.kind);
  differ('type', kind === 'TokenSale' ? 'Sale' : kind, operation.kind);
  differ('amount', said.amount, operation.amount);
  if (body.amount !== undefined) differ('amount', body.amount, operation.amount);
  differ('original', said.originalTransactionId, operation.originalId);
  differ('original', body.originalTransactionId, operation.originalId);
  differ('reference', said.referenceId, operation.referenceId);
  differ('reference', body.referenceId, operation.referenceId);
  const { responseCode, amountApproved } = said.transactionResponses[0] ?? {
    responseCode: 0,
    amountApproved: 0,
  };
  const approved = responseCode === 1 || responseCode === 2;
  const moved = operation.progress.status === 'Approved' ? operation.progress.amount : 0;
  differ('approved amount', approved ? amountApproved : 0, moved);
  if (said.status !== 'Completed' && said.status !== 'Cancelled')
    complaints.push(`${key}: 200 with status ${said.status}, which is no outcome`);
  return complaints;
}

/**
 * "Rejected" promises that nothing moved, a 4xx that nothing was begun. Where nothing was stored the key is free again,
 * so a later answer to the same key may tell of an operation.
 */
function wrongRefusal({ key, heard: all }: Asked, heard: Heard, begun: Operation | undefined): string[] {
  const isLast = all.findLast(isDefinite) === heard;
  if (!begun || !(isLast || namedOperation(heard) === begun.id)) return [];
  const code = saidError(heard)?.code;
  if (heard.status === 500 && saidError(heard)?.status === 'Rejected' && begun.progress.status === 'Approved')
    return [`${key}: told that nothing happened, but ${begun.id} moved money`];
  if ([400, 401, 404].includes(heard.status))
    return [`${key}: refused with ${heard.status}/${code}, but ${begun.id} was begun`];
  return [];
}
