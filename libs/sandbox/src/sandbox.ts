import { Acquirer } from './acquirer.js';
import { Execution } from './execution.js';
import { Ledger } from './ledger.js';
import { SqliteLedgerAudit, type LedgerAudit } from './ledger.audit.js';
import { SandboxClock } from './sandbox.clock.js';
import { SandboxDatabase } from './sandbox.database.js';
import { Terminals } from './terminals.js';

export interface SandboxOptions {
  /** Made where it is missing. Several processes may have it open. */
  readonly file: string;
  /** After this a terminal says that its host did not answer. */
  readonly processorDeadlineMs: number;
  /** How long after the deadline an acquirer that breaks its word does so; left out: 20 s. */
  readonly brokenWordDelayMs?: number;
  /** Left out: `Date.now`. */
  readonly realNow?: () => number;
}

export interface Sandbox {
  readonly processorDeadlineMs: number;
  readonly acquirer: Acquirer;
  readonly terminals: Terminals;
  readonly clock: SandboxClock;
  readonly ledger: LedgerAudit;
  close(): void;
}

const BROKEN_WORD_DELAY_MS = 20_000;

/** The simulated world that a service in sandbox mode pays into. Nothing of it lives in memory: close and reopen at will. */
export function openSandbox(options: SandboxOptions): Sandbox {
  const { file, processorDeadlineMs, brokenWordDelayMs = BROKEN_WORD_DELAY_MS } = options;
  const realNow = options.realNow ?? (() => Date.now());
  const database = new SandboxDatabase(file);
  const clock = new SandboxClock(database, realNow);
  const ledger = new Ledger(database);
  const terminals = new Terminals(database);
  const serviceNow = () => clock.now();
  const times = { processorDeadlineMs, brokenWordDelayMs, realNow, serviceNow };
  const execution = new Execution(ledger, terminals, times);
  const acquirer = new Acquirer(database, ledger, terminals, execution, realNow);
  return {
    processorDeadlineMs,
    acquirer,
    terminals,
    clock,
    ledger: new SqliteLedgerAudit(database, ledger, () => {
      for (const key of ledger.keysDue(realNow())) acquirer.fallDue(key);
    }),
    close: () => database.close(),
  };
}
