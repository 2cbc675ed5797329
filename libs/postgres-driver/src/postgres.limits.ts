export interface PostgresLimits {
  /** Most connections of this process. Further calls wait for one. */
  readonly connectionsMax: number;
  /** Longest wait for a connection, ms: for a free one, and for a new one. */
  readonly connectWithinMs: number;
  /** Longest time of a statement, waiting for locks included, ms. The server cancels a slower one. */
  readonly statementWithinMs: number;
}

export const defaultPostgresLimits: PostgresLimits = {
  connectionsMax: 10,
  connectWithinMs: 1_000,
  statementWithinMs: 1_500,
};
