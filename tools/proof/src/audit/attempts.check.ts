import type { PaymentEvent } from '@tillstream/domain';
import type { PaymentHistory } from './histories.js';

const APPROVALS = ['Captured', 'Refunded', 'Voided', 'Reversed'] as const;

/** An attempt has at most one event of each list. A form that ends after a failed attempt repeats its decline. */
const ONCE: Readonly<Record<string, readonly PaymentEvent['type'][]>> = {
  authentication: ['ThreeDsCompleted', 'ChallengeEnded'],
  outcome: [...APPROVALS, 'Declined', 'NotExecuted', 'NotSent', 'Cancelled'],
  'failure or approval': [...APPROVALS, 'TryFailed'],
};

/** Counts events by the attempt that they name. A sale's `Authorized` stands beside its `Captured`, and does not count. */
export function attemptErrors(histories: readonly PaymentHistory[]): string[] {
  const events = histories.flatMap((history) => history.events);
  return Object.entries(ONCE).flatMap(([what, types]) => {
    const found = new Map<string, string[]>();
    for (const { type, data } of events) {
      if (!types.includes(type) || !('try' in data)) continue;
      const attempt = `${data.operationId}.${data.try}`;
      found.set(attempt, [...(found.get(attempt) ?? []), type]);
    }
    return [...found]
      .filter(([, several]) => several.length > 1)
      .map(([attempt, several]) => `${attempt} has more than one ${what}: ${several.join(', ')}`);
  });
}
