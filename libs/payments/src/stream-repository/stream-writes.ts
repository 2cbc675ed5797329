/** An append that takes longer may be stalled. Writes after it go on then: the expected revision keeps them correct. */
const WAIT_MAX_MS = 250;

/** The writes of this process to each stream, one after the other. */
export class StreamWrites {
  /** The last write of each stream that has one. */
  readonly #last = new Map<string, Promise<void>>();

  /** Runs `write` when the earlier writes to the stream have ended, or after a short time. */
  run<Result>(stream: string, write: () => Promise<Result>): Promise<Result> {
    const earlier = this.#last.get(stream);
    const result = earlier ? endOrTimeout(earlier).then(write) : write();
    const remove = (): void => {
      if (this.#last.get(stream) === ended) this.#last.delete(stream);
    };
    const ended: Promise<void> = result.then(remove, remove);
    this.#last.set(stream, ended);
    return result;
  }
}

function endOrTimeout(write: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, WAIT_MAX_MS);
    void write.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
