/** Where events of the last appends are, by id: all that a server has to know a repeat under 'any' by. */
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

  /** As a restart does. */
  clear(): void {
    this.#records.clear();
  }
}
