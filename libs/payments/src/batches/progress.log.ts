/** Long work logs a line from time to time; short work logs none. */
const LOG_EVERY_MS = 15_000;

/** Counts what was done, and passes the count on every 15 s of real time. */
export class ProgressLog {
  private count = 0;
  private loggedAt: number;

  constructor(
    private readonly log: (count: number) => void,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.loggedAt = now();
  }

  add(count: number): void {
    this.count += count;
    const now = this.now();
    if (now < this.loggedAt + LOG_EVERY_MS) return;
    this.loggedAt = now;
    this.log(this.count);
  }
}
