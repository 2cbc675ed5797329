import { readFileSync } from 'node:fs';
import pg from 'pg';
import { isSocketAddress } from './postgres.address.js';
import { defaultPostgresLimits, type PostgresLimits } from './postgres.limits.js';

export interface PostgresSettings extends Partial<PostgresLimits> {
  /** As `checkDatabaseUrl` accepts it. */
  readonly url: string;
  /** `Verify`: the connection is encrypted, and the server's certificate has to be valid for its host. */
  readonly tls: 'Verify' | 'Off';
  /** Path of a file with the certificates (PEM) that may have signed the server's. Default: those that Node trusts. */
  readonly caFile?: string | undefined;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName?: string;
  /**
   * `Unsynced`: a commit does not wait for the disk, and a crash of the server may undo the last ones, in their order. Only
   * for tables that can be made again from the events. Default: `Synced`.
   */
  readonly commits?: 'Synced' | 'Unsynced';
  /**
   * `ByIndex`: the planner reads tables in the order of an index where it can. For short reads of large tables: an estimate from
   * the average must not make it scan all rows. Default: `Any`.
   */
  readonly reads?: 'ByIndex' | 'Any';
  /** Processes of the server that help a connection to make one index. Default: as the server is configured. */
  readonly indexHelpersMax?: number;
}

/** The client gives up after the server should have cancelled the statement: the server or the network is silent. */
const SILENT_SERVER_MS = 1_000;
/** An idle transaction belongs to a process that is frozen; its locks must not stay. */
const IDLE_TRANSACTION_MS = 30_000;
const IDLE_CONNECTION_MS = 30_000;
const KEEP_ALIVE_AFTER_MS = 10_000;
/**
 * Statements are short and find rows by indexes: compiling one takes longer than running it, and pages of an index that is in
 * use are in memory.
 */
const PLANNING = '-c jit=off -c random_page_cost=1.1';
const SESSION_OPTIONS = `-c timezone=UTC -c default_transaction_isolation=read\\ committed ${PLANNING}`;
/**
 * A sort only where no index has the order: where the estimates say that there are few rows, an index of another order and a
 * sort cost the same. An incremental sort too: the average group may be small, and the largest one is sorted whole.
 */
const BY_INDEX =
  '-c enable_seqscan=off -c enable_bitmapscan=off -c enable_incremental_sort=off -c enable_sort=off';

/**
 * The configuration of `pg`. Unless `commits` says otherwise, acknowledged writes are on the disk of the server (and of its
 * synchronous standby, if it has one), with any default of the database.
 * @throws Error if `caFile` can't be read
 */
export function clientConfig(
  settings: PostgresSettings,
): pg.ClientConfig & { readonly query_timeout: number } {
  const { url, applicationName = 'tillstream' } = settings;
  const { connectWithinMs, statementWithinMs } = limitsOf(settings);
  return {
    connectionString: url,
    ssl: tlsOptions(settings),
    application_name: applicationName,
    connectionTimeoutMillis: connectWithinMs,
    statement_timeout: statementWithinMs,
    query_timeout: statementWithinMs + SILENT_SERVER_MS,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS,
    options: sessionOptions(settings),
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    types: { getTypeParser: typeParser },
  };
}

function sessionOptions({ commits = 'Synced', reads = 'Any', indexHelpersMax }: PostgresSettings): string {
  const committed = `-c synchronous_commit=${commits === 'Synced' ? 'on' : 'off'}`;
  return [
    committed,
    SESSION_OPTIONS,
    ...(reads === 'ByIndex' ? [BY_INDEX] : []),
    ...(indexHelpersMax === undefined ? [] : [`-c max_parallel_maintenance_workers=${indexHelpersMax}`]),
  ].join(' ');
}

export function poolConfig(settings: PostgresSettings): pg.PoolConfig {
  return {
    ...clientConfig(settings),
    max: limitsOf(settings).connectionsMax,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
  };
}

export function limitsOf(settings: Partial<PostgresLimits>): PostgresLimits {
  const { connectionsMax, connectWithinMs, statementWithinMs } = settings;
  return {
    connectionsMax: connectionsMax ?? defaultPostgresLimits.connectionsMax,
    connectWithinMs: connectWithinMs ?? defaultPostgresLimits.connectWithinMs,
    statementWithinMs: statementWithinMs ?? defaultPostgresLimits.statementWithinMs,
  };
}

function tlsOptions({
  url,
  tls,
  caFile,
}: PostgresSettings): false | { rejectUnauthorized: true; ca?: string } {
  if (tls === 'Off' || isSocketAddress(url)) return false;
  return { rejectUnauthorized: true, ...(caFile !== undefined && { ca: readFileSync(caFile, 'utf8') }) };
}

/** `bigint` as a number: all of ours are ms, counts and revisions, far below 2^53. The driver's default is a text. */
const typeParser = ((type: number, format?: 'text' | 'binary') => {
  if (type === (pg.types.builtins.INT8 as number) && format !== 'binary') return Number;
  return pg.types.getTypeParser(type, format);
}) as typeof pg.types.getTypeParser;
