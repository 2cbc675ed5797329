/** The mean of a number over the last moments. Older values count less and less. */
export class RecentMean {
  private mean = 0;
  private value = 0;
  private at: number;

  constructor(
    private readonly decayMs: number,
    private readonly now: () => number,
  ) {
    this.at = now();
  }

  /** The number has this value from now on. */
  set(value: number): void {
    this.mean = this.read();
    this.at = this.now();
    this.value = value;
  }

  read(): number {
    const share = Math.exp((this.at - this.now()) / this.decayMs);
    return this.mean * share + this.value * (1 - share);
  }
}
