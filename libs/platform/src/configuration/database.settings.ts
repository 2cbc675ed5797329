import { defaultPostgresLimits } from '@tillstream/postgres-driver/configuration';
import {
  boundedInteger,
  choice,
  databaseUrl,
  milliseconds,
  optionalText,
  type SettingsTable,
} from './setting.kinds.js';

/** The settings of the database that machines share. */
export const DATABASE_SETTINGS = {
  url: databaseUrl('DATABASE_URL').describe(
    'Address of the PostgreSQL database, with user and password; needed with SHARED_STORE=postgres.',
  ),
  tls: choice('DATABASE_TLS', ['verify', 'off'], 'verify').describe(
    'Whether its certificate has to be valid for its host; off only in a private network. A socket needs no TLS.',
  ),
  caFile: optionalText('DATABASE_CA_FILE', 'path of a file with certificates in PEM').describe(
    'Who may have signed its certificate. Left out: those that Node trusts.',
  ),
  connections: boundedInteger(
    'DATABASE_CONNECTIONS',
    2,
    1_000,
    defaultPostgresLimits.connectionsMax,
  ).describe(
    'Most connections of the main pool of a process. The API and the settlement projector open further ones: docs/operations.md#several-machines.',
  ),
  connectWithin: milliseconds('DATABASE_CONNECT_MS', defaultPostgresLimits.connectWithinMs).describe(
    'Longest wait for a connection, a free one or a new one.',
  ),
  statementWithin: milliseconds('DATABASE_STATEMENT_MS', defaultPostgresLimits.statementWithinMs).describe(
    'Longest time of a statement, waiting for locks included; then the database cancels it.',
  ),
  wait: milliseconds('DATABASE_WAIT_MS', 30_000).describe(
    'How long the start waits for the database to answer.',
  ),
} as const satisfies SettingsTable;
