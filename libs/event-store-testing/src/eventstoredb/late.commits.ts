import type { AppendRequest } from './log.writer.js';

interface Held {
  readonly commit: () => void;
  readonly order: 'beforeRepeat' | 'afterRepeat';
  readonly timer: NodeJS.Timeout | undefined;
}

/** Appends that were not written when they were asked for, and will be. */
export class LateCommits {
  readonly #held = new Map<string, Held[]>();

  hold(request: AppendRequest, order: Held['order'], ms: number | undefined, commit: () => void): void {
    const key = keyOf(request);
    const onTime = () => this.#take(key, (one) => one === held).forEach((one) => one.commit());
    const held: Held = {
      commit,
      order,
      timer: ms === undefined ? undefined : setTimeout(onTime, ms).unref(),
    };
    this.#held.set(key, [...(this.#held.get(key) ?? []), held]);
  }

  /** Writes what waited for a repeat of this append, at this place relative to the repeat. */
  settle(request: AppendRequest, order: Held['order']): void {
    for (const held of this.#take(keyOf(request), (one) => one.order === order)) {
      clearTimeout(held.timer);
      held.commit();
    }
  }

  forget(): void {
    for (const held of [...this.#held.values()].flat()) clearTimeout(held.timer);
    this.#held.clear();
  }

  #take(key: string, which: (held: Held) => boolean): readonly Held[] {
    const all = this.#held.get(key) ?? [];
    const left = all.filter((held) => !which(held));
    if (left.length > 0) this.#held.set(key, left);
    else this.#held.delete(key);
    return all.filter(which);
  }
}

function keyOf({ events }: AppendRequest): string {
  return events[0]?.id ?? '';
}
