/** The writes of this process to each stream, one after the other. */
export class StreamWrites {
  /** The last write of each stream that has one. */
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs `write` when the earlier writes to the stream have ended. */
  run<Result>(stream: string, write: () => Promise<Result>): Promise<Result> {
    const earlier = this.#last.get(stream);
    const result = earlier ? earlier.then(write) : write();
    const remove = (): void => {
      if (this.#last.get(stream) === ended) this.#last.delete(stream);
    };
    const ended: Promise<void> = result.then(remove, remove);
    this.#last.set(stream, ended);
    return result;
  }
}
