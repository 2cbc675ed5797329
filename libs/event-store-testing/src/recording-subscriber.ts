import type { Position, RecordedEvent, Subscriber } from '@tillstream/event-store';

/** Records all calls of a subscription. `handle` runs for each event and may be slow, block or throw. */
export class RecordingSubscriber implements Subscriber {
  readonly events: RecordedEvent[] = [];
  readonly checkpoints: Position[] = [];
  readonly failures: unknown[] = [];
  caughtUpCount = 0;
  #changed: (() => void)[] = [];

  constructor(private readonly handle: (event: RecordedEvent) => Promise<void> | void = () => undefined) {}

  async onEvent(event: RecordedEvent): Promise<void> {
    await this.handle(event);
    this.events.push(event);
    this.#change();
  }

  onCaughtUp(): void {
    this.caughtUpCount += 1;
    this.#change();
  }

  onCheckpoint(position: Position): void {
    this.checkpoints.push(position);
    this.#change();
  }

  onFailure(error: unknown): void {
    this.failures.push(error);
    this.#change();
  }

  /** Resolves once the condition holds. Rejects after `withinMs` with the recorded state. */
  async until(condition: (recorded: this) => boolean, withinMs = 10_000): Promise<void> {
    const deadline = performance.now() + withinMs;
    while (!condition(this)) {
      const left = deadline - performance.now();
      if (left <= 0) {
        throw new Error(
          `not within ${withinMs} ms: ${this.events.length} events, caught up ${this.caughtUpCount} times, ` +
            `${this.checkpoints.length} checkpoints, failures: ${this.failures.map(String).join()}`,
        );
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.#changed.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }

  #change(): void {
    for (const changed of this.#changed.splice(0)) changed();
  }
}
