/* How figures are written. Words are English; amounts are in the locale's format. */

export interface Formats {
  /** Cents with the currency's sign. */
  amount(cents: number): string;
  /** Cents as whole units, for the axis of a chart. */
  tick(cents: number): string;
  count(count: number): string;
}

const CENTS = 100;

/** @throws RangeError for an unknown locale */
export function formatsOf(locale: string, currency: string): Formats {
  const options = { style: 'currency', currency } as const;
  const amount = new Intl.NumberFormat(locale, options);
  const tick = new Intl.NumberFormat(locale, { ...options, maximumFractionDigits: 0 });
  const smallTick = new Intl.NumberFormat(locale, { ...options, minimumFractionDigits: 2 });
  const count = new Intl.NumberFormat(locale);
  return {
    // The sum of no refunds is 0, and not -0.
    amount: (cents) => amount.format((cents || 0) / CENTS),
    tick: (cents) => (cents % CENTS === 0 ? tick : smallTick).format((cents || 0) / CENTS),
    count: (value) => count.format(value),
  };
}

/** `2026-11` is November 2026. */
export function monthName(month: string): string {
  return new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month}-01T00:00:00Z`),
  );
}

/** `2026-11-03` is Tue, Nov 3. */
export function dayName(day: string): string {
  const options = { weekday: 'short', month: 'short', day: 'numeric', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat('en-US', options).format(new Date(`${day}T00:00:00Z`));
}

/** `2026-11-03` is Nov 3. */
export function shortDay(day: string): string {
  const options = { month: 'short', day: 'numeric', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat('en-US', options).format(new Date(`${day}T00:00:00Z`));
}

/** `2026-11-03 22:00`, in the zone. */
export function timeText(time: string, timeZone: string): string {
  const options = { timeZone, dateStyle: 'short', timeStyle: 'short' } as const;
  return new Intl.DateTimeFormat('sv-SE', options).format(new Date(time));
}
