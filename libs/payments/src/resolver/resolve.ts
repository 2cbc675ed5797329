import type { Work } from '../open-work.port.js';
import { expire, giveBackLimit, lookAgain, reverse } from './aftermath.work.js';
import { type ResolveParts, type Worked, load } from './case.js';
import { resolveOutcome } from './outcome.work.js';

/** Does one piece of work. It never guesses: what is not known stays unknown (payment protocol 4 and 5). */
export async function resolve(parts: ResolveParts, work: Work): Promise<Worked> {
  const found = await load(parts, work.operationId);
  // Its events are what made this work: somebody has to look where they went.
  if (!found) return 'Operator';
  switch (work.kind) {
    case 'Outcome':
      return resolveOutcome(parts, found);
    case 'LateCheck':
      return lookAgain(parts, found);
    case 'Reversal':
      return reverse(parts, found);
    case 'Expiry':
      return expire(parts, found);
    case 'RefundLimit':
      return giveBackLimit(parts, found);
  }
}
