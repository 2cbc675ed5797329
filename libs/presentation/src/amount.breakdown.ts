import type { AmountBreakdownShape } from '@tillstream/contracts';
import type { AmountBreakdown } from '@tillstream/domain';

/** The parts that are present, always in the same order. */
export function breakdownShape(breakdown: AmountBreakdown): Required<AmountBreakdownShape>;
export function breakdownShape(breakdown: Partial<AmountBreakdown>): AmountBreakdownShape;
export function breakdownShape(breakdown: Partial<AmountBreakdown>): AmountBreakdownShape {
  const { amountGoodsAndServices, tax, cashback, tip } = breakdown;
  return {
    ...(amountGoodsAndServices !== undefined && { amountGoodsAndServices }),
    ...(tax !== undefined && { tax }),
    ...(cashback !== undefined && { cashback }),
    ...(tip !== undefined && { tip }),
  };
}
