/*
 * prom-client looks at the labels anew for each value, which between two steps of a payment costs microseconds. There a
 * value is only put down; all are handed over together when somebody asks for the metrics.
 */

/** What a metric has for given values of its labels: making it costs more than counting. */
export class BufferedByLabels<Kept extends { handOver(): void }> {
  private readonly known = new Map<string, Kept>();

  constructor(private readonly make: (...values: readonly string[]) => Kept) {}

  /** By the values of the labels, in their order. They come from fixed sets: as many are kept as there are. */
  withLabels(...values: readonly string[]): Kept {
    const name = values.length === 1 ? (values[0] as string) : values.join('\n');
    let kept = this.known.get(name);
    if (kept === undefined) {
      kept = this.make(...values);
      this.known.set(name, kept);
    }
    return kept;
  }

  handOver(): void {
    for (const kept of this.known.values()) kept.handOver();
  }
}

/** Of one child; with the next it hands them over unasked. */
const MAX_BUFFERED_DURATIONS = 256;

/** Of a histogram, in seconds. */
export class BufferedDurations {
  private readonly seconds = new Float64Array(MAX_BUFFERED_DURATIONS);
  private count = 0;

  constructor(private readonly child: { observe(seconds: number): void }) {}

  observe(seconds: number): void {
    if (this.count === MAX_BUFFERED_DURATIONS) this.handOver();
    this.seconds[this.count++] = seconds;
  }

  handOver(): void {
    for (let index = 0; index < this.count; index++) this.child.observe(this.seconds[index] as number);
    this.count = 0;
  }
}

/** Of a counter. */
export class BufferedCount {
  private count = 0;

  constructor(private readonly child: { inc(by: number): void }) {
    child.inc(0);
  }

  inc(): void {
    this.count += 1;
  }

  handOver(): void {
    if (this.count > 0) this.child.inc(this.count);
    this.count = 0;
  }
}

export type Durations = BufferedByLabels<BufferedDurations>;
export type Counts = BufferedByLabels<BufferedCount>;
