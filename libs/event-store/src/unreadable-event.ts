import type { Position } from './event.js';
import type { BrokenLink } from './hash-chain.js';

/** The store has the event, but can't decode it: the file was damaged or changed by hand. */
export class UnreadableEvent extends Error {
  override readonly name = 'UnreadableEvent';
  constructor(
    readonly link: BrokenLink,
    /** A reader that skips the event continues after this position. */
    readonly position: Position,
    options?: { readonly cause?: unknown },
  ) {
    super(`stream ${link.stream}, revision ${link.revision}, event ${link.id}: ${link.problem}`, options);
  }
}

/** The unreadable event behind a store's error; undefined if the error has another reason. */
export function findUnreadableEvent(error: unknown): UnreadableEvent | undefined {
  if (error instanceof UnreadableEvent) return error;
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof UnreadableEvent ? cause : undefined;
}
