import { ErrorCode } from '@tillstream/contracts';
import { breakdownTotal, isAmount, type AmountBreakdown } from '@tillstream/domain';
import { field } from '../validation/field.rule.js';

const total = (breakdown: unknown): number => breakdownTotal(breakdown as Partial<AmountBreakdown>);

/**
 * The parts sum to the amount of the same body. Asked only where amount and parts are good each for itself; an amount
 * that was left out is for the payment to say.
 */
export const SumsToAmount = (): PropertyDecorator =>
  field({
    code: ErrorCode.InvalidAmount,
    allowed: 'parts that sum to amount',
    message: 'The parts of amountBreakdown must sum to amount.',
    // Both are good cents here: no card number hides in them.
    details: (breakdown, { amount }) =>
      `the parts sum to ${total(breakdown)}, the amount is ${String(amount)}`,
    fits: (breakdown, { amount }) => {
      const parts = Object.values(breakdown as object).filter((part) => part !== undefined) as unknown[];
      const decidable = isAmount(amount) && parts.every((part) => part === 0 || isAmount(part));
      return !decidable || total(breakdown) === amount;
    },
  });
