export interface PaymentRow {
  readonly root: string;
  readonly part: string;
  readonly data: string;
}

/** Rows in groups of the same root. */
export class Groups<Data> {
  private next: IteratorResult<PaymentRow, void>;

  constructor(private readonly rows: Generator<PaymentRow, void>) {
    this.next = rows.next();
  }

  /** Of the next group. */
  get root(): string | undefined {
    return this.next.done ? undefined : this.next.value.root;
  }

  /** The group of a root; empty if the next group has another one. */
  take(root: string): Data[] {
    const group: Data[] = [];
    while (!this.next.done && this.next.value.root === root) {
      group.push(JSON.parse(this.next.value.data) as Data);
      this.next = this.rows.next();
    }
    return group;
  }
}
