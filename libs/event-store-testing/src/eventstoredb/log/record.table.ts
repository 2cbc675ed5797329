/** The place of a record's message, and the values for filters. Streams and types are numbers. */
export interface RecordRow {
  readonly position: number;
  readonly chunk: number;
  readonly offset: number;
  readonly length: number;
  readonly stream: number;
  readonly type: number;
}

const COLUMNS = ['chunk', 'offset', 'length', 'stream', 'type'] as const;

/** One row per record, in columns of numbers: 28 bytes per record; objects would take 150. */
export class RecordTable {
  #count = 0;
  #positions = new Float64Array(1024);
  readonly #columns = {
    chunk: new Uint32Array(1024),
    offset: new Uint32Array(1024),
    length: new Uint32Array(1024),
    stream: new Uint32Array(1024),
    type: new Uint32Array(1024),
  };

  get count(): number {
    return this.#count;
  }

  add(row: RecordRow): void {
    if (this.#count === this.#positions.length) this.#grow();
    this.#positions[this.#count] = row.position;
    for (const name of COLUMNS) this.#columns[name][this.#count] = row[name];
    this.#count += 1;
  }

  position(record: number): number {
    return this.#positions[record] ?? NaN;
  }

  get(column: (typeof COLUMNS)[number], record: number): number {
    return this.#columns[column][record] ?? NaN;
  }

  /** The first record at or after this position; the count if there is none. */
  firstAtOrAfter(position: number): number {
    let low = 0;
    let high = this.#count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.position(middle) < position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #grow(): void {
    const size = this.#count * 2;
    const positions = new Float64Array(size);
    positions.set(this.#positions);
    this.#positions = positions;
    for (const name of COLUMNS) {
      const column = new Uint32Array(size);
      column.set(this.#columns[name]);
      this.#columns[name] = column;
    }
  }
}
