/** Record numbers of recent events by id. Only by these does a server recognise a repeat under 'any'. */
export class RecentIds {
  readonly #records = new Map<string, number>();

  constructor(private readonly limit: number) {}

  record(id: string): number | undefined {
    return this.#records.get(id);
  }

  add(id: string, record: number): void {
    this.#records.delete(id);
    this.#records.set(id, record);
    if (this.#records.size <= this.limit) return;
    const [oldest] = this.#records.keys();
    if (oldest !== undefined) this.#records.delete(oldest);
  }

  /** A restart clears the ids. */
  clear(): void {
    this.#records.clear();
  }
}
