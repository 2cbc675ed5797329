import { Acquirer } from './acquirer/acquirer.js';
import { Customers } from './terminals/customers.js';
import { ConnectionRefusalCheck } from './acquirer/connection-refusal.check.js';
import { RequestExecution } from './acquirer/request.execution.js';
import { Ledger } from './ledger/ledger.js';
import { SqliteLedgerAudit, type LedgerAudit } from './ledger/ledger.audit.js';
import { SandboxDatabase } from './ledger/sandbox.database.js';
import { Terminals } from './terminals/terminals.js';
import { ServiceClock } from './service.clock.js';
import { TerminalSessions } from './terminals/terminal.sessions.js';

export interface SandboxOptions {
  /** Made where it is missing. Several processes may have it open. */
  readonly file: string;
  /** After this a terminal says that its host did not answer. */
  readonly processorDeadlineMs: number;
  /** How long after the deadline an acquirer that breaks its word does so; left out: 20 s. */
  readonly lateExecutionDelayMs?: number;
  /** Left out: `Date.now`. */
  readonly realNow?: () => number;
  /** The service's clock, ms since 1970; left out: `realNow`. */
  readonly serviceNow?: () => number;
}

export interface Sandbox {
  readonly processorDeadlineMs: number;
  readonly acquirer: Acquirer;
  readonly connectionRefusal: ConnectionRefusalCheck;
  readonly terminals: Terminals;
  readonly customers: Customers;
  readonly ledger: LedgerAudit;
  /** Why its books can't be written now. */
  unavailableReason(): string | undefined;
  close(): void;
}

/** A sandbox that is a process of its own: it has the service's clock from what callers tell it. */
export interface StandaloneSandbox extends Sandbox {
  readonly clock: ServiceClock;
}

const LATE_EXECUTION_DELAY_MS = 20_000;

/** The simulated world that a service in sandbox mode pays into. Nothing of it lives in memory: close and reopen at will. */
export function openSandbox(options: SandboxOptions): Sandbox {
  return sandboxOn(new SandboxDatabase(options.file), options);
}

/** As `openSandbox`, with the clock that it is told of. */
export function openStandaloneSandbox(options: Omit<SandboxOptions, 'serviceNow'>): StandaloneSandbox {
  const database = new SandboxDatabase(options.file);
  const clock = new ServiceClock(database, options.realNow ?? (() => Date.now()));
  return { ...sandboxOn(database, { ...options, serviceNow: () => clock.now() }), clock };
}

function sandboxOn(database: SandboxDatabase, options: SandboxOptions): Sandbox {
  const { processorDeadlineMs, lateExecutionDelayMs = LATE_EXECUTION_DELAY_MS } = options;
  const realNow = options.realNow ?? (() => Date.now());
  const serviceNow = options.serviceNow ?? realNow;
  const ledger = new Ledger(database);
  const times = { processorDeadlineMs, lateExecutionDelayMs: lateExecutionDelayMs, realNow, serviceNow };
  const terminals = new Terminals(database, times);
  const sessions = new TerminalSessions(database);
  const execution = new RequestExecution(ledger, { terminals, sessions }, times);
  const acquirer = new Acquirer(database, ledger, terminals, execution, realNow);
  return {
    processorDeadlineMs,
    acquirer,
    connectionRefusal: new ConnectionRefusalCheck(database, ledger, execution),
    terminals,
    customers: new Customers(
      { database, ledger, terminals, visits: sessions, times },
      execution.terminalTransactions,
    ),
    ledger: new SqliteLedgerAudit(database, ledger, () => {
      for (const key of ledger.keysDue(realNow())) acquirer.executeDue(key);
      for (const key of sessions.keysDue(serviceNow(), realNow())) acquirer.pollCustomer(key);
    }),
    unavailableReason: () => database.unavailableReason(),
    close: () => database.close(),
  };
}
