import type { Counter, Histogram } from 'prom-client';
import { Children } from './children.js';

/*
 * prom-client looks at the labels anew for each value, which between two steps of a payment costs microseconds. There a
 * value is only put down; all are handed over together when somebody asks for the metrics.
 */

/** Of one child; with the next it hands them over unasked. */
const DURATIONS_KEPT = 256;

/** A histogram of seconds. */
export class Durations {
  private readonly children;

  constructor(histogram: Histogram) {
    this.children = new Children((...values) => new KeptDurations(histogram.labels(...values)));
  }

  /** By the values of its labels, in their order; they come from fixed sets. */
  of(...values: readonly string[]): KeptDurations {
    return this.children.of(...values);
  }

  handOver(): void {
    for (const kept of this.children.all()) kept.handOver();
  }
}

export class KeptDurations {
  private readonly seconds = new Float64Array(DURATIONS_KEPT);
  private count = 0;

  constructor(private readonly child: { observe(seconds: number): void }) {}

  observe(seconds: number): void {
    if (this.count === DURATIONS_KEPT) this.handOver();
    this.seconds[this.count++] = seconds;
  }

  handOver(): void {
    for (let index = 0; index < this.count; index++) this.child.observe(this.seconds[index] as number);
    this.count = 0;
  }
}

/** A counter. */
export class Counts {
  private readonly children;

  constructor(counter: Counter) {
    this.children = new Children((...values) => new KeptCount(counter.labels(...values)));
  }

  /** As that of `Durations`. */
  of(...values: readonly string[]): KeptCount {
    return this.children.of(...values);
  }

  handOver(): void {
    for (const kept of this.children.all()) kept.handOver();
  }
}

export class KeptCount {
  private count = 0;

  constructor(private readonly child: { inc(by: number): void }) {}

  inc(): void {
    this.count += 1;
  }

  handOver(): void {
    if (this.count > 0) this.child.inc(this.count);
    this.count = 0;
  }
}
