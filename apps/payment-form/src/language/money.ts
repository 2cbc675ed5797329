import type { CurrencyCode } from '@tillstream/contracts';

/** @param cents integer @returns such as `$12.50` or `12,50 $`; the currency's code is shown beside it */
export function amountText(cents: number, currency: CurrencyCode, locale: string): string {
  const format = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const;
  return new Intl.NumberFormat(locale, format).format(cents / 100);
}
