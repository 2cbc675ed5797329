import type { PathsText } from './operation.text.js';
import { ACCOUNT_HOLDERS_PATHS } from './paths/account-holders.paths.js';
import { BATCHES_PATHS } from './paths/batches.paths.js';
import { HEALTH_PATHS, METRICS_PATHS } from './paths/health.paths.js';
import { ADMIN_KEYS_PATHS, API_KEYS_PATHS, MERCHANTS_PATHS } from './paths/merchants.paths.js';
import { PROCESSORS_PATHS } from './paths/processors.paths.js';
import {
  OPERATOR_PAYMENT_METHODS_PATHS,
  PROJECTIONS_PATHS,
  UNKNOWN_OUTCOMES_PATHS,
} from './paths/operators.paths.js';
import { OPERATIONS_PATHS } from './paths/operations.paths.js';
import { HOLDER_TOKENS_PATHS, PAYMENT_METHODS_PATHS, TOKENS_PATHS } from './paths/payment-methods.paths.js';
import { SANDBOX_CLOCK_PATHS, SANDBOX_TERMINALS_PATHS } from './paths/sandbox.paths.js';
import { TRANSACTIONS_PATHS } from './paths/transactions.paths.js';

/** Every controller of the API; a spec holds this list against the routes that are really there. */
export const DESCRIBED_PATHS: readonly PathsText[] = [
  OPERATIONS_PATHS,
  TRANSACTIONS_PATHS,
  PAYMENT_METHODS_PATHS,
  TOKENS_PATHS,
  HOLDER_TOKENS_PATHS,
  ACCOUNT_HOLDERS_PATHS,
  MERCHANTS_PATHS,
  API_KEYS_PATHS,
  OPERATOR_PAYMENT_METHODS_PATHS,
  UNKNOWN_OUTCOMES_PATHS,
  BATCHES_PATHS,
  PROCESSORS_PATHS,
  PROJECTIONS_PATHS,
  ADMIN_KEYS_PATHS,
  SANDBOX_TERMINALS_PATHS,
  SANDBOX_CLOCK_PATHS,
  HEALTH_PATHS,
  METRICS_PATHS,
];
