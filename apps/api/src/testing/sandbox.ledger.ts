import { join } from 'node:path';
import { openSandbox, type Movement } from '@tillstream/sandbox';

/** What one operation moved, by the ledger of the embedded acquirer: it knows nothing of the service's events. */
export function movementsOf(dataDir: string, operationId: string): readonly Movement[] {
  const sandbox = openSandbox({ file: join(dataDir, 'sandbox.db'), processorDeadlineMs: 300 });
  try {
    return [...sandbox.ledger.entries()].filter(({ key }) => key.startsWith(`${operationId}.`));
  } finally {
    sandbox.close();
  }
}
