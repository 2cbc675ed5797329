import type { Batch, KindTotals } from '../batch/index.js';
import type { SettlementKind } from './funding-date.js';

const KINDS: readonly SettlementKind[] = ['Card', 'Bank'];

/** Which settlements a closed batch makes, in this order. */
export function settlementKinds(batch: Batch): readonly SettlementKind[] {
  return KINDS.filter((kind) => hasItems(batch, kind) || kind === adjustedKind(batch));
}

/** Which of them has the batch's adjustments: the one of cards, unless the batch has bank payments only. */
export function adjustedKind(batch: Batch): SettlementKind | undefined {
  if (batch.adjustments.length === 0) return undefined;
  return hasItems(batch, 'Bank') && !hasItems(batch, 'Card') ? 'Bank' : 'Card';
}

function hasItems({ totals }: Batch, kind: SettlementKind): boolean {
  const parts: KindTotals | undefined = kind === 'Card' ? totals?.card : totals?.bank;
  return parts !== undefined && parts.sales.count + parts.refunds.count + parts.returns.count > 0;
}
