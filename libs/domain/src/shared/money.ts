import type { Currency } from './codes.js';

/** Integer in the smallest unit of its currency, never a fraction. */
export type Cents = number;

export const MIN_AMOUNT: Cents = 1;
/** `docs/spec/README.md#field-types`. */
export const MAX_AMOUNT: Cents = 999_999_999;

export interface Money {
  readonly amount: Cents;
  readonly currency: Currency;
}

export function isAmount(value: unknown): value is Cents {
  return Number.isInteger(value) && (value as number) >= MIN_AMOUNT && (value as number) <= MAX_AMOUNT;
}

/**
 * For reporting only. The parts add up to the amount; each is 0 to `MAX_AMOUNT`
 * (`docs/spec/payments.md#amount-breakdown`).
 */
export interface AmountBreakdown {
  readonly amountGoodsAndServices: Cents;
  readonly tax: Cents;
  readonly cashback: Cents;
  readonly tip: Cents;
}

export function breakdownTotal(breakdown: Partial<AmountBreakdown>): Cents {
  return (
    (breakdown.amountGoodsAndServices ?? 0) +
    (breakdown.tax ?? 0) +
    (breakdown.cashback ?? 0) +
    (breakdown.tip ?? 0)
  );
}

/**
 * The breakdown of an approved amount. Without a requested breakdown all of it is goods. A partial approval reduces
 * cashback first, then tip, tax, goods (`docs/spec/transactions.md#approved-breakdown`).
 */
export function approvedBreakdown(
  requested: Partial<AmountBreakdown> | undefined,
  requestedAmount: Cents,
  approvedAmount: Cents,
): AmountBreakdown {
  const parts = {
    amountGoodsAndServices: requested ? (requested.amountGoodsAndServices ?? 0) : requestedAmount,
    tax: requested?.tax ?? 0,
    cashback: requested?.cashback ?? 0,
    tip: requested?.tip ?? 0,
  };
  let missing = requestedAmount - approvedAmount;
  for (const part of ['cashback', 'tip', 'tax', 'amountGoodsAndServices'] as const) {
    const reduction = Math.min(Math.max(missing, 0), parts[part]);
    parts[part] -= reduction;
    missing -= reduction;
  }
  return parts;
}
