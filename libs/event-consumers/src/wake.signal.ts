/** Lets one waiter sleep until it is woken. A wake-up while nothing waits is kept for the next wait. */
export class WakeSignal {
  #woken = false;
  #resume: (() => void) | undefined;

  /** Returns at once and costs nothing measurable: stores call it for every append. */
  wake(): void {
    this.#woken = true;
    this.#resume?.();
  }

  /** Forgets a wake-up that was kept. Call it before reading what the wake-up is about. */
  reset(): void {
    this.#woken = false;
  }

  /** Resolves when woken, or after so many ms. */
  async wait(ms: number): Promise<void> {
    if (this.#woken) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#resume = resolve;
      timer = setTimeout(resolve, ms);
    });
    clearTimeout(timer);
    this.#resume = undefined;
  }
}
