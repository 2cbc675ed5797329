interface Kind {
  readonly example: string;
  readonly count: number;
}

const MOST_KINDS = 200;

/** What was wrong, each kind once: with its shortest example, and how often it was seen. */
export class FuzzComplaints {
  private readonly kinds = new Map<string, Kind>();

  /** `kind` is the same for the same fault at the same place; `example` is enough to send it again. */
  add(kind: string, example: string): void {
    const known = this.kinds.get(kind);
    if (!known && this.kinds.size >= MOST_KINDS) return;
    const shorter = !known || example.length < known.example.length ? example : known.example;
    this.kinds.set(kind, { example: shorter, count: (known?.count ?? 0) + 1 });
  }

  /** The most frequent first. */
  get texts(): readonly string[] {
    return [...this.kinds]
      .sort(([, one], [, two]) => two.count - one.count)
      .map(([kind, { example, count }]) => `${kind} (${count} times), as in\n      ${example}`);
  }
}
