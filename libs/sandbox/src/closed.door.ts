import type { AcquirerRequest } from './acquirer.vocabulary.js';
import { amountTrigger } from './amounts.table.js';
import type { Execution } from './execution.js';
import type { Ledger } from './ledger.js';
import type { SandboxDatabase } from './sandbox.database.js';

/**
 * Whether a request would be refused before anything is sent (amount 920004). Over a network whoever sends has to know it
 * before, or it would not be so. Asking executes nothing and leaves no trace.
 */
export class ClosedDoor {
  constructor(
    private readonly database: SandboxDatabase,
    private readonly ledger: Ledger,
    private readonly execution: Execution,
  ) {}

  refuses(request: AcquirerRequest): boolean {
    return this.database.undone(() => {
      const known = this.ledger.find(request.key);
      if (known && known.state !== 'Lost') return false;
      const { kind } = this.execution.first(request, known ? 'SentAgain' : 'FirstSend');
      return kind === 'ConnectionRefused';
    });
  }
}

/** By its amount alone: whether it is worth asking. */
export function mayRefuseConnection({ operation, amount }: AcquirerRequest): boolean {
  return amountTrigger(operation, amount, false)?.effect === 'ConnectionRefused';
}
