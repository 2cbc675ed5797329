/**
 * The V8 of Node 20 gives every object of `{ ...source, more }` a hidden class of its own, which lives until the next
 * full collection and keeps its object alive: seven times slower to make, slow to read ever after, and what a payment
 * leaves behind is no longer garbage of the young generation. Only a literal that begins with a spread, and goes on, is
 * made that way. To be taken away with the support of Node 20.
 */
export function leadingSpreadsAreSlow(v8: string = process.versions.v8): boolean {
  return Number.parseInt(v8, 10) < 12;
}
