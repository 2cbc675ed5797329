import type { Movement, PaymentNet } from '@tillstream/sandbox';
import type { Asked } from './asked.js';
import { wrongAnswers } from './audit.answers.js';
import { wrongBooks } from './audit.books.js';
import { wrongMovements } from './audit.movements.js';
import { wrongOperations } from './audit.operations.js';
import type { PaymentHistory } from './histories.js';

/** All that can be known from outside: what the service wrote, what the acquirer did, what clients asked and heard. */
export interface Evidence {
  readonly histories: readonly PaymentHistory[];
  /** Of the acquirer's own ledger: every movement of money. */
  readonly movements: readonly Movement[];
  /** The acquirer's own sums. */
  readonly nets: readonly PaymentNet[];
  readonly asked: readonly Asked[];
}

/**
 * Holds the three against each other. Empty: nothing was lost, nothing charged twice, nothing moved that the history
 * denies or the other way round, nothing is without an outcome, and nobody was told anything that is not so.
 */
export function audit(evidence: Evidence): string[] {
  return [
    ...wrongOperations(evidence),
    ...wrongMovements(evidence),
    ...wrongBooks(evidence),
    ...wrongAnswers(evidence),
  ];
}
