import type { AcquirerRequest } from './acquirer.types.js';
import { amountTrigger } from './amounts.table.js';
import type { RequestExecution } from './request.execution.js';
import type { Ledger } from '../ledger/ledger.js';
import type { SandboxDatabase } from '../ledger/sandbox.database.js';

/**
 * Whether a request would be refused before anything is sent (amount 920004). Over a network whoever sends has to know it
 * before, or it would not be so. Asking executes nothing and leaves no trace.
 */
export class ConnectionRefusalCheck {
  constructor(
    private readonly database: SandboxDatabase,
    private readonly ledger: Ledger,
    private readonly execution: RequestExecution,
  ) {}

  refusesConnection(request: AcquirerRequest): boolean {
    return this.database.dryRun(() => {
      const known = this.ledger.find(request.key);
      if (known && known.state !== 'Lost') return false;
      const { kind } = this.execution.executeFirst(request, known ? 'SentAgain' : 'FirstSend');
      return kind === 'ConnectionRefused';
    });
  }
}

/** By its amount alone: whether it is worth asking. */
export function mayRefuseConnection({ operation, amount }: AcquirerRequest): boolean {
  return amountTrigger(operation, amount, false)?.effect === 'ConnectionRefused';
}
