import type { BrokenLink, RecordedEvent } from '@tillstream/event-store';
import { differenceOf, named } from './event.difference.js';
import type { LogCursor } from './log.cursor.js';
import { formatCount } from '@tillstream/platform';

/** How far two logs are the same, and why no further. Both cursors stand after the last event that is the same. */
export type Meeting =
  | { readonly kind: 'Equal' }
  /** The target is the beginning of the source. */
  | { readonly kind: 'TargetEnds'; readonly next: RecordedEvent }
  | { readonly kind: 'Differs'; readonly difference: string }
  | { readonly kind: 'Broken'; readonly link: BrokenLink };

/**
 * Goes through both logs event by event, to the first difference. `check` is called for each event that is the same in
 * both, and gives what is wrong with its chain.
 */
export async function walkSideBySide(
  source: LogCursor,
  target: LogCursor,
  check: (event: RecordedEvent) => BrokenLink | undefined,
  progress: (events: number) => void,
): Promise<Meeting> {
  for (;;) {
    const [ours, theirs] = await Promise.all([source.ahead(), target.ahead()]);
    const [next, extra] = [ours[0], theirs[0]];
    if (extra === undefined) return next === undefined ? { kind: 'Equal' } : { kind: 'TargetEnds', next };
    if (next === undefined) {
      const difference = `after ${formatCount(source.passed)} events the source ends, and the target goes on with ${named(extra)}`;
      return { kind: 'Differs', difference };
    }
    const stop = compare(ours, theirs, check);
    source.pass(stop.same);
    target.pass(stop.same);
    progress(stop.same);
    if (stop.broken !== undefined) return { kind: 'Broken', link: stop.broken };
    if (stop.difference !== undefined) {
      return { kind: 'Differs', difference: `event ${formatCount(source.passed + 1)}: ${stop.difference}` };
    }
  }
}

interface Stop {
  readonly same: number;
  readonly difference?: string;
  readonly broken?: BrokenLink;
}

function compare(
  ours: readonly RecordedEvent[],
  theirs: readonly RecordedEvent[],
  check: (event: RecordedEvent) => BrokenLink | undefined,
): Stop {
  for (const [same, event] of ours.entries()) {
    const other = theirs[same];
    if (other === undefined) return { same };
    const difference = differenceOf(event, other);
    if (difference !== undefined) return { same, difference };
    const broken = check(event);
    if (broken !== undefined) return { same, broken };
  }
  return { same: ours.length };
}
