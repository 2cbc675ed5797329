interface Kind {
  readonly example: string;
  readonly count: number;
}

const KINDS_MAX = 200;

/** Complaints by kind, each with its shortest example and its count. */
export class ComplaintList {
  private readonly kinds = new Map<string, Kind>();

  /** `kind` is equal for the same fault at the same place; `example` is enough to send the request again. */
  add(kind: string, example: string): void {
    const known = this.kinds.get(kind);
    if (!known && this.kinds.size >= KINDS_MAX) return;
    const shorter = !known || example.length < known.example.length ? example : known.example;
    this.kinds.set(kind, { example: shorter, count: (known?.count ?? 0) + 1 });
  }

  /** The most frequent kind first. */
  get texts(): readonly string[] {
    return [...this.kinds]
      .sort(([, one], [, two]) => two.count - one.count)
      .map(([kind, { example, count }]) => `${kind} (${count} times), as in\n      ${example}`);
  }
}
