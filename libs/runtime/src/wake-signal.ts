/** Lets one waiter sleep until it is woken. A wake-up that arrives while no one waits is kept for the next wait. */
export class WakeSignal {
  #isWoken = false;
  #resume: (() => void) | undefined;

  wake(): void {
    this.#isWoken = true;
    this.#resume?.();
  }

  /** Discards a wake-up that was kept. Call it before you read the state that the wake-up announces. */
  reset(): void {
    this.#isWoken = false;
  }

  /** Resolves at the next wake-up, or after `timeoutMs`. */
  async wait(timeoutMs: number): Promise<void> {
    if (this.#isWoken) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#resume = resolve;
      timer = setTimeout(resolve, timeoutMs);
    });
    clearTimeout(timer);
    this.#resume = undefined;
  }
}
