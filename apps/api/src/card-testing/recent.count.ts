interface CountedMinute {
  readonly minute: number;
  count: number;
}

/**
 * Counts what happened in the current minute and in the ones before it, `minutes` in all. Its memory does not depend on the
 * count. Minutes are whole numbers that never go backwards.
 */
export class RecentCount {
  /** The oldest minute first. */
  private readonly counted: CountedMinute[] = [];

  constructor(private readonly minutes: number) {}

  total(minute: number): number {
    this.forgetBefore(minute);
    return this.counted.reduce((sum, { count }) => sum + count, 0);
  }

  add(minute: number): void {
    this.forgetBefore(minute);
    const newest = this.counted.at(-1);
    if (newest?.minute === minute) newest.count += 1;
    else this.counted.push({ minute, count: 1 });
  }

  /** Takes back one that was added in that minute, unless it is forgotten. */
  remove(added: number): void {
    const index = this.counted.findIndex(({ minute }) => minute === added);
    const of = this.counted[index];
    if (!of) return;
    of.count -= 1;
    if (of.count === 0) this.counted.splice(index, 1);
  }

  /** The first minute in which fewer than `limit` are left, if nothing is added. */
  minuteBelow(limit: number, minute: number): number {
    let left = this.total(minute);
    let below = minute;
    for (const { minute: counted, count } of this.counted) {
      if (left < limit) break;
      left -= count;
      below = counted + this.minutes;
    }
    return below;
  }

  private forgetBefore(minute: number): void {
    while (this.counted[0] && minute - this.counted[0].minute >= this.minutes) this.counted.shift();
  }
}
