import pg from 'pg';
import type { PostgresSettings } from '../postgres.settings.js';

/** The driver without this package, in its fastest way: statements that each connection prepares once. */
export interface BarePostgres {
  /** Rejects with the driver's error. @param name of the statement: the same for the same text */
  run(name: string, text: string, values: readonly unknown[]): Promise<void>;
  close(): Promise<void>;
}

/** Benchmarks compare with it. A commit waits for the disk as `commits` says. */
export function openBarePostgres({
  url,
  connectionsMax = 10,
  commits = 'Synced',
}: Pick<PostgresSettings, 'url' | 'connectionsMax' | 'commits'>): BarePostgres {
  const options = `-c synchronous_commit=${commits === 'Synced' ? 'on' : 'off'}`;
  const pool = new pg.Pool({ connectionString: url, max: connectionsMax, options });
  return {
    run: async (name, text, values) => void (await pool.query({ name, text, values: [...values] })),
    close: () => pool.end(),
  };
}
