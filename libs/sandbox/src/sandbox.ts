import { Acquirer } from './acquirer.js';
import { Customers } from './customers.js';
import { ClosedDoor } from './closed.door.js';
import { Execution } from './execution.js';
import { Ledger } from './ledger.js';
import { SqliteLedgerAudit, type LedgerAudit } from './ledger.audit.js';
import { SandboxDatabase } from './sandbox.database.js';
import { Terminals } from './terminals.js';
import { ToldClock } from './told.clock.js';
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
  /** The service's clock, ms since 1970; left out: `realNow`. */
  readonly serviceNow?: () => number;
}

export interface Sandbox {
  readonly processorDeadlineMs: number;
  readonly acquirer: Acquirer;
  readonly closedDoor: ClosedDoor;
  readonly terminals: Terminals;
  readonly customers: Customers;
  readonly ledger: LedgerAudit;
  /** Why its books can't be written now. */
  trouble(): string | undefined;
  close(): void;
}

/** A sandbox that is a process of its own: it has the service's clock from what callers tell it. */
export interface ToldSandbox extends Sandbox {
  readonly clock: ToldClock;
}

const BROKEN_WORD_DELAY_MS = 20_000;

/** The simulated world that a service in sandbox mode pays into. Nothing of it lives in memory: close and reopen at will. */
export function openSandbox(options: SandboxOptions): Sandbox {
  return sandboxIn(new SandboxDatabase(options.file), options);
}

/** As `openSandbox`, with the clock that it is told of. */
export function openToldSandbox(options: Omit<SandboxOptions, 'serviceNow'>): ToldSandbox {
  const database = new SandboxDatabase(options.file);
  const clock = new ToldClock(database, options.realNow ?? (() => Date.now()));
  return { ...sandboxIn(database, { ...options, serviceNow: () => clock.now() }), clock };
}

function sandboxIn(database: SandboxDatabase, options: SandboxOptions): Sandbox {
  const { processorDeadlineMs, brokenWordDelayMs = BROKEN_WORD_DELAY_MS } = options;
  const realNow = options.realNow ?? (() => Date.now());
  const serviceNow = options.serviceNow ?? realNow;
  const ledger = new Ledger(database);
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
    ledger: new SqliteLedgerAudit(database, ledger, () => {
      for (const key of ledger.keysDue(realNow())) acquirer.fallDue(key);
      for (const key of visits.keysDue(serviceNow(), realNow())) acquirer.awaited(key);
    }),
    trouble: () => database.trouble(),
    close: () => database.close(),
  };
}
