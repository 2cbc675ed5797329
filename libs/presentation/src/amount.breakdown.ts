import type { AmountBreakdownShape } from '@tillstream/contracts';
import type { AmountBreakdown } from '@tillstream/domain';

/** The parts that there are, always in one order. */
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
