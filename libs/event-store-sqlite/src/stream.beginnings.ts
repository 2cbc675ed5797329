import type { RecordedEvent } from '@tillstream/event-store';

/** Of all streams together, and of one: what it would take as text. */
const MOST_CHARACTERS = 4_000_000;
const MOST_OF_ONE = 64_000;

interface Beginning {
  readonly events: readonly RecordedEvent[];
  readonly characters: number;
}

/**
 * Streams as they were read lately, the least lately read forgotten first. What is written is never changed: it need not
 * be read and parsed again, only what came after it.
 */
export class StreamBeginnings {
  readonly #beginnings = new Map<string, Beginning>();
  #characters = 0;

  /** The first events of a stream, without a gap; none where they are not known. */
  of(stream: string): readonly RecordedEvent[] {
    const known = this.#beginnings.get(stream);
    if (known === undefined) return [];
    this.#beginnings.delete(stream);
    this.#beginnings.set(stream, known);
    return known.events;
  }

  /**
   * @param events all of the stream from its first event on
   * @param characters of the texts of those that were not known before
   */
  keep(stream: string, events: readonly RecordedEvent[], characters: number): void {
    const known = this.#beginnings.get(stream);
    const size = characters + (known?.characters ?? 0);
    this.#forget(stream, known);
    if (size > MOST_OF_ONE) return;
    this.#beginnings.set(stream, { events, characters: size });
    this.#characters += size;
    for (const [oldest, beginning] of this.#beginnings) {
      if (this.#characters <= MOST_CHARACTERS) return;
      this.#forget(oldest, beginning);
    }
  }

  #forget(stream: string, beginning: Beginning | undefined): void {
    if (beginning === undefined) return;
    this.#beginnings.delete(stream);
    this.#characters -= beginning.characters;
  }
}
