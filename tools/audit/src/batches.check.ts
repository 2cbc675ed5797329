import {
  settlementIdOf,
  type Adjustment,
  type BatchEvent,
  type BatchTotals,
  type KindTotals,
  type SettlementKind,
} from '@tillstream/domain';
import type { PartSum } from '@tillstream/ledger';
import { money, type Findings } from './findings.js';
import { closedTotals, type PlacedEvent } from './history.reader.js';
import type { SettlementLookup } from './settlement.lookup.js';
import type { WorkingFile } from './working.file.js';

interface BatchCheckParts {
  readonly file: WorkingFile;
  readonly findings: Findings;
  readonly settlements: SettlementLookup;
}

const KINDS = [
  ['card', 'Card'],
  ['bank', 'Bank'],
] as const;
const PARTS = ['sales', 'refunds', 'returns'] as const;

/**
 * A batch's totals are the sums of what it took, and each of its settlements is made. Returns whether it is still being
 * closed, or its settlements are being made.
 */
export function checkBatch(
  parts: BatchCheckParts,
  batchId: string,
  events: readonly PlacedEvent<BatchEvent>[],
): boolean {
  const totals = closedTotals(events);
  const taken = parts.file.sumsOf('batch', batchId);
  if (totals) compareTotals(parts.findings, batchId, totals, taken);
  else if (!events.some(({ type }) => type === 'BatchClosing') && Object.keys(taken).length > 0) {
    parts.findings.add('sums', 'batch', batchId, { expected: 'no items: it is open', found: 'items' });
  }
  const settled = events.find(({ type }) => type === 'BatchSettled');
  if (!totals || settled?.type !== 'BatchSettled') {
    const last = events.at(-1)?.type;
    return last === 'BatchClosing' || last === 'BatchClosed';
  }
  const named = new Set(settled.data.settlements.map(({ settlementId }) => settlementId));
  for (const [part, kind] of KINDS) {
    const settlementId = settlementIdOf(batchId, kind);
    const isExpected = hasItems(totals[part]) || adjustedKind(events) === kind;
    const isMade = named.has(settlementId) && parts.settlements.find(settlementId)?.isCreated === true;
    parts.findings.compare('sums', 'settlement of', batchId, [
      isExpected ? settlementId : `none of ${kind}`,
      isMade ? settlementId : `none of ${kind}`,
    ]);
  }
  return false;
}

function compareTotals(
  findings: Findings,
  batchId: string,
  totals: BatchTotals,
  taken: Partial<Record<string, PartSum>>,
): void {
  let [count, amount] = [0, 0];
  for (const [kind] of KINDS) {
    for (const part of PARTS) {
      const { count: items = 0, amount: sum = 0 } = taken[`${kind}.${part}`] ?? {};
      count += items;
      amount += sum;
      const found = totals[kind][part];
      findings.compare('sums', `${kind} ${part} of`, batchId, [
        `${items} items of ${money(sum)}`,
        `${found.count} items of ${money(found.amount)}`,
      ]);
    }
  }
  findings.compare('sums', 'total of', batchId, [
    `${count} items of ${money(amount)}`,
    `${totals.transactionCount} items of ${money(totals.amount)}`,
  ]);
}

function hasItems(totals: KindTotals): boolean {
  return PARTS.some((part) => totals[part].count > 0);
}

/** What the batch took besides items, in the order of recording. */
export function adjustmentsOf(events: readonly BatchEvent[]): readonly Adjustment[] {
  return events.flatMap((event) => (event.type === 'BatchAdjusted' ? [event.data] : []));
}

/** The settlement that has the adjustments: of cards, unless the batch has bank payments only. */
export function adjustedKind(events: readonly BatchEvent[]): SettlementKind | undefined {
  const totals = closedTotals(events);
  if (!totals || adjustmentsOf(events).length === 0) return undefined;
  return hasItems(totals.bank) && !hasItems(totals.card) ? 'Bank' : 'Card';
}
