import { errorMessage } from '@tillstream/runtime';

export type PostgresErrorCode =
  /** The server undid the transaction because of a concurrent one. The whole transaction can be repeated. */
  | 'Retryable'
  /** The database can't be reached, or refuses work now. Nothing was written. */
  | 'Unavailable'
  /** The connection ended after the write was sent for commit. It may have been committed. */
  | 'Unknown'
  /** The statement or the data is wrong: a defect of the program, or a database of another program. Nothing was written. */
  | 'Refused';

export class PostgresError extends Error {
  override readonly name = 'PostgresError';
  constructor(
    readonly code: PostgresErrorCode,
    message: string,
    options?: { readonly cause?: unknown },
  ) {
    super(message, options);
  }
}

/** What the connection did when it failed. `Commit`: also a single statement that writes, which commits itself. */
export type Phase = 'Connect' | 'Work' | 'Commit';

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';
const READ_ONLY_TRANSACTION = '25006';
const QUERY_CANCELED = '57014';
const LOCK_NOT_AVAILABLE = '55P03';
/** Connection, resources, operator intervention, failures of the system: as classes of codes. */
const UNAVAILABLE_CLASSES: readonly string[] = ['08', '53', '57', '58'];

/**
 * The error for callers. An answer of the server says for certain that it undid the work, unless it ended the connection at
 * the commit: a server that receives the order to stop may have committed before. The message contains no values of rows.
 */
export function toPostgresError(error: unknown, phase: Phase): PostgresError {
  if (error instanceof PostgresError) return error;
  const state = sqlState(error);
  const message = state === undefined ? describeFault(error) : `${errorMessage(error)} (${state})`;
  const code = codeOf(error, state, phase);
  return new PostgresError(code, message, { cause: error });
}

function codeOf(error: unknown, state: string | undefined, phase: Phase): PostgresErrorCode {
  if (phase === 'Connect') return 'Unavailable';
  if (phase === 'Commit' && wasLost(error)) return 'Unknown';
  if (state === undefined) return 'Unavailable';
  if (state === SERIALIZATION_FAILURE || state === DEADLOCK_DETECTED) return 'Retryable';
  const isUnavailable =
    [READ_ONLY_TRANSACTION, LOCK_NOT_AVAILABLE].includes(state) ||
    UNAVAILABLE_CLASSES.includes(state.slice(0, 2));
  return isUnavailable ? 'Unavailable' : 'Refused';
}

/**
 * Whether the connection can't be used after this error: it was lost, the server is silent or ended it, or it leads to a
 * server that no longer accepts writes.
 */
export function endsConnection(error: unknown): boolean {
  return wasLost(error) || sqlState(error) === READ_ONLY_TRANSACTION;
}

/** Whether the server did not answer the statement: the connection was lost, or the server ended it. */
function wasLost(error: unknown): boolean {
  const { severity } = (error ?? {}) as { readonly severity?: unknown };
  return sqlState(error) === undefined || severity === 'FATAL' || severity === 'PANIC';
}

/** Whether the server cancelled the statement because of its time limit. */
export function wasCancelled(error: unknown): boolean {
  const cause = error instanceof PostgresError ? error.cause : error;
  return [QUERY_CANCELED, LOCK_NOT_AVAILABLE].includes(sqlState(cause) ?? '');
}

/** The SQLSTATE of an error that the server sent. Errors of sockets have codes of another form. */
function sqlState(error: unknown): string | undefined {
  const { code, severity } = (error ?? {}) as { readonly code?: unknown; readonly severity?: unknown };
  return typeof code === 'string' && typeof severity === 'string' ? code : undefined;
}

/** An `AggregateError` of a host with several addresses has no message. */
function describeFault(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return errorMessage(error.errors[0]);
  return errorMessage(error);
}
