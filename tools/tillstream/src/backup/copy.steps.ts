import { ProgressBar, type Terminal } from '@tillstream/platform/command-line';

const MIB = 1_048_576;

/** The steps of a copy: a bar in MiB for each, or a line now and then. */
export class CopySteps {
  private readonly bar: ProgressBar;
  private step = '';
  private isShown = false;

  constructor(terminal: Terminal) {
    this.bar = new ProgressBar(terminal, 'MiB');
  }

  begin(step: string): void {
    this.bar.stop();
    this.step = step;
    this.isShown = false;
  }

  /** @param total bytes; 0: not known */
  update(done: number, total: number): void {
    if (!this.isShown) this.bar.start(this.step, total > 0 ? Math.ceil(total / MIB) : undefined);
    this.isShown = true;
    this.bar.update(Math.floor(done / MIB));
  }

  end(): void {
    this.bar.stop();
  }
}
