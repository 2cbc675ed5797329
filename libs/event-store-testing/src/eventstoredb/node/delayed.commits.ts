import type { AppendRequest } from '../log/log.writer.js';

interface DelayedCommit {
  readonly commit: () => void;
  readonly order: 'beforeRepeat' | 'afterRepeat';
  readonly timer: NodeJS.Timeout | undefined;
}

/** Appends that the server writes later than requested. */
export class DelayedCommits {
  readonly #held = new Map<string, DelayedCommit[]>();

  hold(
    request: AppendRequest,
    order: DelayedCommit['order'],
    ms: number | undefined,
    commit: () => void,
  ): void {
    const key = keyOf(request);
    const onTime = () => this.#take(key, (one) => one === held).forEach((one) => one.commit());
    const held: DelayedCommit = {
      commit,
      order,
      timer: ms === undefined ? undefined : setTimeout(onTime, ms).unref(),
    };
    this.#held.set(key, [...(this.#held.get(key) ?? []), held]);
  }

  /** Writes the appends that waited for a repeat of this append, before or after the repeat. */
  commitDue(request: AppendRequest, order: DelayedCommit['order']): void {
    for (const held of this.#take(keyOf(request), (one) => one.order === order)) {
      clearTimeout(held.timer);
      held.commit();
    }
  }

  clear(): void {
    for (const held of [...this.#held.values()].flat()) clearTimeout(held.timer);
    this.#held.clear();
  }

  #take(key: string, which: (held: DelayedCommit) => boolean): readonly DelayedCommit[] {
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
