import type { BrokenLink } from './hash-chain.js';

/** An event that is there, and whose bytes are no event any more: the store's file was damaged or changed by hand. */
export class UnreadableEvent extends Error {
  override readonly name = 'UnreadableEvent';
  constructor(
    readonly link: BrokenLink,
    options?: { readonly cause?: unknown },
  ) {
    super(`stream ${link.stream}, revision ${link.revision}, event ${link.id}: ${link.problem}`, options);
  }
}
