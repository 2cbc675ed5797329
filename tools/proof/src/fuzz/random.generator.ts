/** A seeded random generator (mulberry32). */
export class RandomGenerator {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** The generator of one case, independent of the cases before it. */
  static of(seed: number, index: number): RandomGenerator {
    const random = new RandomGenerator((seed ^ Math.imul(index + 1, 0x9e3779b1)) >>> 0);
    random.next();
    return random;
  }

  /** At least 0, less than 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = this.state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** At least 0, less than `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  is(probability: number): boolean {
    return this.next() < probability;
  }

  pick<Item>(items: readonly Item[]): Item {
    if (items.length === 0) throw new Error('nothing to pick from');
    return items[this.below(items.length)] as Item;
  }

  text(characters: string, length: number): string {
    return Array.from({ length }, () => characters[this.below(characters.length)]).join('');
  }
}
