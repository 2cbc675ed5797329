import type { BatchTotals, ItemTotals } from '../batch.events.js';

const none: ItemTotals = { count: 0, amount: 0 };

/** Totals of card sales only. */
export function salesOnly(count: number, amount: number): BatchTotals {
  const nothing = { sales: none, refunds: none, returns: none };
  return { transactionCount: count, amount, card: { ...nothing, sales: { count, amount } }, bank: nothing };
}
