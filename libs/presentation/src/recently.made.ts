const MOST = 256;

/** What was made of the last few values, for whoever asks again a moment later. */
export class RecentlyMade<Key extends object, Made> {
  private readonly made = new Map<Key, Made>();

  get(key: Key): Made | undefined {
    return this.made.get(key);
  }

  /** The oldest is forgotten. */
  set(key: Key, made: Made): void {
    this.made.delete(key);
    this.made.set(key, made);
    if (this.made.size <= MOST) return;
    const [oldest] = this.made.keys();
    if (oldest) this.made.delete(oldest);
  }
}
