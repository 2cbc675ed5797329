import type { Cents } from '@tillstream/domain';

/** In the order in which they run. */
export const CHECKS = ['lists', 'sums', 'items', 'fees', 'ledger', 'processor'] as const;
export type CheckName = (typeof CHECKS)[number];

export interface Difference {
  readonly check: CheckName;
  /** A noun: what differs. */
  readonly what: string;
  readonly id: string;
  readonly expected: string;
  readonly found: string;
}

/** Differences of one check that are named; further ones are counted. */
export const NAMED_PER_CHECK_MAX = 100;
/** Open outcomes that are named. */
export const NAMED_OPEN_MAX = 100;

/** An operation whose outcome is not known yet. It is no difference: the resolver, the bank or a customer ends it. */
export interface OpenOutcome {
  readonly operationId: string;
  readonly kind: string;
  readonly amount: Cents;
  readonly currency: string;
  readonly since: string;
  /** What the books of the processor have for it: none, or a movement. */
  readonly processor: string;
}

/** Counts everything, and keeps as much as is named. */
export class Findings {
  readonly differences: Difference[] = [];
  readonly counts = new Map<CheckName, number>();
  readonly open: OpenOutcome[] = [];
  openCount = 0;
  /** What could not be compared, and why. */
  readonly notes: string[] = [];

  /** @param chosen the checks that run; differences of others are dropped */
  constructor(private readonly chosen: ReadonlySet<CheckName>) {}

  get total(): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0);
  }

  add(check: CheckName, what: string, id: string, values: Pick<Difference, 'expected' | 'found'>): void {
    if (!this.chosen.has(check)) return;
    const count = (this.counts.get(check) ?? 0) + 1;
    this.counts.set(check, count);
    if (count > NAMED_PER_CHECK_MAX) return;
    this.differences.push({ check, what, id, ...values });
  }

  /** Adds a difference unless both are equal. Returns whether they are. */
  compare(
    check: CheckName,
    what: string,
    id: string,
    [expected, found]: readonly [unknown, unknown],
  ): boolean {
    const texts = [expected, found].map((value) =>
      typeof value === 'string' ? value : JSON.stringify(value),
    );
    const [expectedText = 'nothing', foundText = 'nothing'] = texts;
    if (expectedText === foundText) return true;
    this.add(check, what, id, { expected: expectedText, found: foundText });
    return false;
  }

  addOpen(one: OpenOutcome): void {
    this.openCount += 1;
    if (this.open.length < NAMED_OPEN_MAX) this.open.push(one);
  }
}

export function differenceText({ check, what, id, expected, found }: Difference): string {
  return `${check}: ${what} ${id}: expected ${expected}, found ${found}`;
}

/** 1234 USD cents are `12.34 USD`. */
export function money(amount: Cents, currency?: string): string {
  const cents = String(Math.abs(amount)).padStart(3, '0');
  const text = `${amount < 0 ? '-' : ''}${cents.slice(0, -2)}.${cents.slice(-2)}`;
  return currency === undefined ? text : `${text} ${currency}`;
}
