import { ErrorCode } from '@tillstream/contracts';
import { breakdownTotal, isAmount, type AmountBreakdown } from '@tillstream/domain';
import { field } from '../validation/field.rule.js';

const total = (breakdown: unknown): number => breakdownTotal(breakdown as Partial<AmountBreakdown>);

/**
 * The parts sum to the amount of the same body. Checked only where amount and parts are valid; the use case checks
 * an amount that was left out.
 */
export const SumsToAmount = (): PropertyDecorator =>
  field({
    code: ErrorCode.InvalidAmount,
    allowed: 'parts that sum to amount',
    message: 'The parts of amountBreakdown must sum to amount.',
    // Both are valid amounts here, so they can't be a card number.
    details: (breakdown, { amount }) =>
      `the parts sum to ${total(breakdown)}, the amount is ${String(amount)}`,
    fits: (breakdown, { amount }) => {
      const parts = Object.values(breakdown as object).filter((part) => part !== undefined) as unknown[];
      const decidable = isAmount(amount) && parts.every((part) => part === 0 || isAmount(part));
      return !decidable || total(breakdown) === amount;
    },
  });
