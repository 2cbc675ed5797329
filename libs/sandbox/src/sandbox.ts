import { Acquirer } from './acquirer.js';
import { Customers } from './customers.js';
import { ClosedDoor } from './closed.door.js';
import { Execution } from './execution.js';
import { Ledger } from './ledger.js';
import { SqliteLedgerAudit, type LedgerAudit } from './ledger.audit.js';
import { SandboxClock } from './sandbox.clock.js';
import { SandboxDatabase } from './sandbox.database.js';
import { Terminals } from './terminals.js';
import { Visits } from './visits.js';

export interface SandboxOptions {
  /** Made where it is missing. Several processes may have it open. */
  readonly file: string;
  /** After this a terminal says that its host did not answer. */
  readonly processorDeadlineMs: number;
  /** How long after the deadline an acquirer that breaks its word does so; left out: 20 s. */
  readonly brokenWordDelayMs?: number;
  /** Left out: `Date.now`. */
  readonly realNow?: () => number;
  /** The service's clock, ms since 1970; left out: the one in this file. */
  readonly serviceNow?: () => number;
}

export interface Sandbox {
  readonly processorDeadlineMs: number;
  readonly acquirer: Acquirer;
  readonly closedDoor: ClosedDoor;
  readonly terminals: Terminals;
  readonly customers: Customers;
  readonly clock: SandboxClock;
  readonly ledger: LedgerAudit;
  /** Why its books can't be written now. */
  trouble(): string | undefined;
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
  const serviceNow = options.serviceNow ?? (() => clock.now());
  const times = { processorDeadlineMs, brokenWordDelayMs, realNow, serviceNow };
  const terminals = new Terminals(database, times);
  const visits = new Visits(database);
  const execution = new Execution(ledger, { terminals, visits }, times);
  const acquirer = new Acquirer(database, ledger, terminals, execution, realNow);
  return {
    processorDeadlineMs,
    acquirer,
    closedDoor: new ClosedDoor(database, ledger, execution),
    terminals,
    customers: new Customers({ database, ledger, terminals, visits, times }, execution.atTerminals),
    clock,
    ledger: new SqliteLedgerAudit(database, ledger, () => {
      for (const key of ledger.keysDue(realNow())) acquirer.fallDue(key);
      for (const key of visits.keysDue(serviceNow(), realNow())) acquirer.awaited(key);
    }),
    trouble: () => database.trouble(),
    close: () => database.close(),
  };
}
