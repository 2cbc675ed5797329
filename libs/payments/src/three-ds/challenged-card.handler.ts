import { endedAttempts, isWithoutOutcome } from '@tillstream/domain';
import { attemptSubject } from '../stored-cards/vault.codec.js';
import type { Parts } from '../parts.js';
import type { PaymentContext } from '../resolver/operation.context.js';
import type { WorkItemResult } from '../resolver/work-item.schedule.js';

/** Destroys the cards that challenges of a payment left in the vault, as far as their attempts have an outcome. */
export async function destroyChallengedCards(
  { vault }: Parts,
  { operation }: PaymentContext,
): Promise<WorkItemResult> {
  for (const number of endedAttempts(operation)) await vault.destroy(attemptSubject(operation.id, number));
  return isWithoutOutcome(operation.progress.status) ? 'Again' : 'Done';
}
