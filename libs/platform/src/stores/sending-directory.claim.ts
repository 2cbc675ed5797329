import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { openPostgresLeases } from '@tillstream/payments-postgres';
import type { Postgres } from '@tillstream/postgres-driver';
import { ConfigError } from '../configuration/setting.kinds.js';
import { createPrivateFile } from '../files/private-files.js';

const LEASE = 'webhook-sending';
/** Ten years: until an operator ends it. */
const LEASE_MS = 315_360_000_000;

/**
 * Records that deliveries are sent from this data directory, which alone knows what was sent. Any number of processes on the
 * directory may send.
 * @throws ConfigError if they are sent from another one: it would send every event once more
 */
export async function claimSendingDirectory(database: Postgres, dataDir: string): Promise<void> {
  const leases = openPostgresLeases(database, directoryId(dataDir));
  if (await leases.hold(LEASE, LEASE_MS)) return;
  throw new ConfigError(
    `Webhooks are delivered from the DATA_DIR of another machine, which knows what was sent; set WEBHOOK_DISPATCHER=elsewhere here, or, where that directory is lost for good, end its claim in ${database.name}: delete from leases where name = '${LEASE}'.`,
  );
}

/** The directory keeps its id when it moves to another machine. */
function directoryId(dataDir: string): string {
  const file = join(dataDir, 'directory.id');
  createPrivateFile(file, `${hostname()} ${randomUUID()}\n`);
  return readFileSync(file, 'utf8').trim();
}
