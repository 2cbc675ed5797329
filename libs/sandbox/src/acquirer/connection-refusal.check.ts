import type { AcquirerRequest } from './acquirer.types.js';
import { amountTrigger } from './amounts.table.js';
import type { RequestExecution } from './request.execution.js';
import type { Ledger } from '../ledger/ledger.js';
import type { SandboxDatabase } from '../ledger/sandbox.database.js';

/**
 * Says whether the sandbox would refuse the connection of a request (amount 920004). An adapter over a network asks before
 * it sends. The check writes nothing.
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

/** False if the request's amount already rules a refusal out. */
export function mayRefuseConnection({ operation, amount }: AcquirerRequest): boolean {
  return amountTrigger(operation, amount, false)?.effect === 'ConnectionRefused';
}
