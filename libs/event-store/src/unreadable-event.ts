import type { Position } from './event.js';
import type { BrokenLink } from './hash-chain.js';

/** An event that is there, and whose bytes are no event any more: the store's file was damaged or changed by hand. */
export class UnreadableEvent extends Error {
  override readonly name = 'UnreadableEvent';
  constructor(
    readonly link: BrokenLink,
    /** Where it lies: a reader that passes over it goes on after this. */
    readonly position: Position,
    options?: { readonly cause?: unknown },
  ) {
    super(`stream ${link.stream}, revision ${link.revision}, event ${link.id}: ${link.problem}`, options);
  }
}

/** The unreadable event that an error of a store is about; undefined: it is about something else. */
export function findUnreadableEvent(error: unknown): UnreadableEvent | undefined {
  if (error instanceof UnreadableEvent) return error;
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof UnreadableEvent ? cause : undefined;
}
