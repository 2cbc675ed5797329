import type { Ledger } from './ledger/ledger.js';
import type { SandboxDatabase } from './ledger/sandbox.database.js';
import type { Terminals } from './terminals/terminals.js';
import type { TerminalSessions } from './terminals/terminal.sessions.js';

/** Times in ms. */
export interface SandboxTimes {
  /** A terminal waits this long for its host. */
  readonly processorDeadlineMs: number;
  /** Of a late execution, from the deadline on. */
  readonly lateExecutionDelayMs: number;
  /** The machine's clock: for due times, for how long a terminal is busy, and for the reading of a chip. */
  readonly realNow: () => number;
  /** The service's clock: for the customer's time limit, and for the expiry of cards. */
  readonly serviceNow: () => number;
}

/** Shared by the acquirer and the terminals of one sandbox. */
export interface SandboxParts {
  readonly database: SandboxDatabase;
  readonly ledger: Ledger;
  readonly terminals: Terminals;
  readonly sessions: TerminalSessions;
  readonly times: SandboxTimes;
}
