/** What a metric has for given values of its labels: making it costs more than counting. */
export class Children<Child> {
  private readonly known = new Map<string, Child>();

  /** `values` come from fixed sets: as many are kept as there are. */
  constructor(private readonly make: (...values: readonly string[]) => Child) {}

  of(...values: readonly string[]): Child {
    const name = values.length === 1 ? (values[0] as string) : values.join('\n');
    let child = this.known.get(name);
    if (child === undefined) {
      child = this.make(...values);
      this.known.set(name, child);
    }
    return child;
  }

  all(): Iterable<Child> {
    return this.known.values();
  }
}
