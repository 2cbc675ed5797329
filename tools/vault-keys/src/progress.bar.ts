/** Where progress is shown. */
export interface ProgressPlace {
  /** A line that stays. */
  note(text: string): void;
  /** Replaces what was shown last; absent where nothing can be replaced. */
  replace?(text: string): void;
}

const REDRAW_EVERY_MS = 200;
const LINE_EVERY_MS = 10_000;
const CELLS = 20;
const thousands = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** Count, rate and time left: redrawn in place on a terminal, otherwise a line every ten seconds, for a log. */
export class ProgressBar {
  private readonly began: number;
  private shownAt: number;

  constructor(
    private readonly place: ProgressPlace,
    private readonly what: string,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.began = this.now();
    this.shownAt = this.began;
  }

  show(done: number, total: number): void {
    const now = this.now();
    if (now - this.shownAt < (this.place.replace === undefined ? LINE_EVERY_MS : REDRAW_EVERY_MS)) return;
    this.shownAt = now;
    const perMs = done / (now - this.began);
    const share = total > 0 ? done / total : 1;
    const bar = '#'.repeat(Math.floor(share * CELLS)).padEnd(CELLS, '.');
    const left = perMs > 0 ? `, ${duration((total - done) / perMs)} left` : '';
    const text = `[${bar}] ${Math.floor(share * 100)} %, ${grouped(done)} of ${grouped(total)} ${this.what}, ${grouped(perMs * 1000)}/s${left}`;
    if (this.place.replace === undefined) this.place.note(text);
    else this.place.replace(text);
  }

  end(): void {
    this.place.replace?.('');
  }
}

/** 1234567 is 1,234,567. */
export function grouped(count: number): string {
  return thousands.format(count);
}

/** A time of whole seconds, rounded up: 9 s, 2 min 5 s, 1 h 3 min. */
function duration(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}
