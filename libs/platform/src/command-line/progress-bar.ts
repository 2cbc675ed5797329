import { clearLine, cursorTo } from 'node:readline';
import cliProgress, { type SingleBar } from 'cli-progress';
import { formatDuration, formatCount } from './number.format.js';
import type { Terminal } from './terminal.js';

const REDRAWS_PER_SECOND = 5;
const LINE_EVERY_MS = 10_000;
const CELLS = 20;
/** Updates from which the time left is estimated. */
const ETA_UPDATES = 100;

/** The progress of one phase after the other: a bar on a terminal, otherwise a line every ten seconds, for a log. */
export class ProgressBar {
  #phase = '';
  #total: number | undefined;
  #count = 0;
  /** Time and count of the phase's first update. The rate counts from there: work of an earlier run does not raise it. */
  #began = { at: performance.now(), count: 0 };
  #bar: SingleBar | undefined;
  #lineAt = performance.now();

  /** @param unit the counted items, in the plural */
  constructor(
    private readonly terminal: Pick<Terminal, 'error' | 'screen'>,
    private readonly unit: string,
  ) {}

  /** Without a `total` the count alone is shown. */
  start(phase: string, total?: number): void {
    this.stop();
    this.#phase = phase;
    this.#total = total;
    this.#count = 0;
    this.#lineAt = performance.now();
    this.#began = { at: this.#lineAt, count: 0 };
    if (this.terminal.screen === undefined) return;
    this.#bar = new cliProgress.SingleBar({
      stream: this.terminal.screen,
      format:
        total === undefined
          ? '{phase} {value} {unit}'
          : '{phase} [{bar}] {percentage} %, {value} of {total} {unit}, {rate}/s, {eta_formatted} left',
      formatValue: (value) => formatCount(Number(value)),
      // Before it has an estimate, cli-progress passes a text, not a number.
      formatTime: (seconds) => (Number.isFinite(seconds) ? formatDuration(seconds * 1000) : '?'),
      forceRedraw: true,
      barsize: CELLS,
      barCompleteChar: '#',
      barIncompleteChar: '.',
      etaBuffer: ETA_UPDATES,
      fps: REDRAWS_PER_SECOND,
      clearOnComplete: true,
      linewrap: true,
    });
    this.#bar.start(total ?? 0, 0, { phase, unit: this.unit, rate: '?' });
  }

  add(count: number): void {
    this.update(this.#count + count);
  }

  /** Sets the count of this phase, and its total if that has changed. */
  update(count: number, total = this.#total): void {
    if (this.#count === 0) this.#began = { at: performance.now(), count };
    this.#count = count;
    this.#total = total;
    if (total !== undefined) this.#bar?.setTotal(Math.max(total, count));
    this.#bar?.update(count, { rate: formatCount(this.#perSecond()) });
    if (this.terminal.screen === undefined) this.#line();
  }

  /** Writes a line that stays, above the bar. */
  log(text: string): void {
    const { screen } = this.terminal;
    if (screen && this.#bar) {
      cursorTo(screen, 0);
      clearLine(screen, 0);
    }
    this.terminal.error(text);
  }

  stop(): void {
    this.#bar?.stop();
    this.#bar = undefined;
  }

  #line(): void {
    const now = performance.now();
    if (now - this.#lineAt < LINE_EVERY_MS) return;
    this.#lineAt = now;
    const total = this.#total === undefined ? '' : ` of ${formatCount(this.#total)}`;
    const perSecond = this.#perSecond();
    const pace = perSecond === 0 ? '' : `, ${formatCount(perSecond)}/s${this.#left(perSecond)}`;
    this.terminal.error(`${this.#phase} ${formatCount(this.#count)}${total} ${this.unit}${pace}`);
  }

  /** Since the first count of the phase. */
  #perSecond(): number {
    const { at, count } = this.#began;
    const ms = performance.now() - at;
    return ms > 0 ? Math.round(((this.#count - count) / ms) * 1000) : 0;
  }

  #left(perSecond: number): string {
    if (this.#total === undefined) return '';
    const left = Math.max(0, this.#total - this.#count) / perSecond;
    return `, ${formatDuration(left * 1000)} left`;
  }
}
