import { formatDuration, formatCount } from './number.format.js';

/** Where progress is shown. */
export interface ProgressOutput {
  /** A line that stays. */
  note(text: string): void;
  /** Replaces what was shown last; absent where nothing can be replaced. */
  replace?(text: string): void;
}

const REDRAW_EVERY_MS = 200;
const LINE_EVERY_MS = 10_000;
/** The rate is that of the last one to two of these. */
const RATE_OVER_MS = 5000;
const CELLS = 20;

/**
 * Count, rate and time left of one phase after the other: redrawn in place on a terminal, otherwise a line every ten
 * seconds, for a log.
 */
export class Progress {
  readonly #now: () => number;
  #phase = '';
  #total: number | undefined;
  #count = 0;
  #shownAt: number;
  #marks: readonly [Mark, Mark];

  /** `what` is counted, in the plural. */
  constructor(
    private readonly place: ProgressOutput,
    private readonly what: string,
    now: () => number = () => performance.now(),
  ) {
    this.#now = now;
    const start = { at: now(), count: 0 };
    this.#shownAt = start.at;
    this.#marks = [start, start];
  }

  /** `total` is left out where nobody knows it: then there is no time left to tell. */
  start(phase: string, total?: number): void {
    this.end();
    const start = { at: this.#now(), count: 0 };
    this.#phase = phase;
    this.#total = total;
    this.#count = 0;
    this.#shownAt = start.at;
    this.#marks = [start, start];
  }

  /** So many more. */
  add(count: number): void {
    this.setProgress(this.#count + count, this.#total);
  }

  /** So many in all. */
  setProgress(count: number, total: number | undefined): void {
    this.#count = count;
    this.#total = total;
    const now = this.#now();
    const [, newest] = this.#marks;
    if (now - newest.at > RATE_OVER_MS) this.#marks = [newest, { at: now, count }];
    const every = this.place.replace === undefined ? LINE_EVERY_MS : REDRAW_EVERY_MS;
    if (now - this.#shownAt < every) return;
    this.#shownAt = now;
    if (this.place.replace === undefined) this.place.note(this.#text(now));
    else this.place.replace(this.#text(now));
  }

  /** A line of its own, between. */
  print(text: string): void {
    this.place.replace?.('');
    this.place.note(text);
  }

  end(): void {
    this.place.replace?.('');
  }

  #text(now: number): string {
    const [since] = this.#marks;
    const perMs = now > since.at ? (this.#count - since.count) / (now - since.at) : 0;
    const rate = `${formatCount(perMs * 1000)}/s`;
    const phase = this.#phase === '' ? '' : `${this.#phase} `;
    const total = this.#total;
    if (total === undefined || total === 0 || this.#count > total)
      return `${phase}${formatCount(this.#count)} ${this.what}, ${rate}`;
    const share = this.#count / total;
    const bar = '#'.repeat(Math.floor(share * CELLS)).padEnd(CELLS, '.');
    const left = perMs > 0 ? `, ${formatDuration((total - this.#count) / perMs)} left` : '';
    return `${phase}[${bar}] ${Math.floor(share * 100)} %, ${formatCount(this.#count)} of ${formatCount(total)} ${this.what}, ${rate}${left}`;
  }
}

interface Mark {
  readonly at: number;
  readonly count: number;
}
