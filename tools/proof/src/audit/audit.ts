import type { Movement, PaymentNet } from '@tillstream/sandbox';
import type { ClientRequest } from '../support/client.request.js';
import { responseErrors } from './responses.check.js';
import { netAmountErrors } from './net-amounts.check.js';
import { movementErrors } from './movements.check.js';
import { operationErrors } from './operations.check.js';
import type { PaymentHistory } from './histories.js';

/**
 * Everything that is visible from outside: the service's events, the acquirer's ledger, the clients' requests and
 * responses.
 */
export interface Evidence {
  readonly histories: readonly PaymentHistory[];
  /** Every movement of money in the acquirer's ledger. */
  readonly movements: readonly Movement[];
  /** The net amounts by the acquirer's own sums. */
  readonly nets: readonly PaymentNet[];
  readonly requests: readonly ClientRequest[];
}

/**
 * Compares events, ledger and responses. An empty result means: no payment is lost or charged twice, every movement of
 * money is in both, every operation has an outcome, and every response was true.
 */
export function audit(evidence: Evidence): string[] {
  return [
    ...operationErrors(evidence),
    ...movementErrors(evidence),
    ...netAmountErrors(evidence),
    ...responseErrors(evidence),
  ];
}
