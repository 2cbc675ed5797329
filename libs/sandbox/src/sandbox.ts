import type { Bank } from './bank/bank.js';
import { Acquirer } from './acquirer/acquirer.js';
import { Customers } from './terminals/customers.js';
import { RequestExecution } from './acquirer/request.execution.js';
import { Ledger } from './ledger/ledger.js';
import { LedgerAudit } from './ledger/ledger.audit.js';
import { SandboxDatabase } from './ledger/sandbox.database.js';
import { Terminals } from './terminals/terminals.js';
import { ServiceClock } from './service.clock.js';
import type { SandboxTimes } from './sandbox.parts.js';
import { TerminalSessions } from './terminals/terminal.sessions.js';
import { ThreeDsSimulator } from './three-ds/three-ds.simulator.js';

/** Defaults: a late execution 20 s after the deadline, `Date.now` as the real time, and real time as the service's clock. */
export interface SandboxOptions extends Partial<SandboxTimes> {
  /** Created if it is missing. Several processes may have it open. */
  readonly file: string;
  readonly processorDeadlineMs: number;
}

export interface Sandbox {
  readonly processorDeadlineMs: number;
  readonly acquirer: Acquirer;
  readonly terminals: Terminals;
  readonly customers: Customers;
  readonly threeDs: ThreeDsSimulator;
  readonly bank: Pick<Bank, 'claimMessages' | 'settleMessages' | 'countDueMessages'>;
  readonly ledger: LedgerAudit;
  /** Why the ledger can't be written now. */
  unavailableReason(): string | undefined;
  close(): void;
}

/** A sandbox that is a process of its own: it takes the service's clock from its callers. */
export interface StandaloneSandbox extends Sandbox {
  readonly clock: ServiceClock;
}

const LATE_EXECUTION_DELAY_MS = 20_000;

/** The simulated acquirer with its terminals, the bank and the 3-D Secure server. All state is in the file. */
export function openSandbox(options: SandboxOptions): Sandbox {
  return sandboxOn(new SandboxDatabase(options.file), options);
}

export function openStandaloneSandbox(options: Omit<SandboxOptions, 'serviceNow'>): StandaloneSandbox {
  const database = new SandboxDatabase(options.file);
  const clock = new ServiceClock(database, options.realNow ?? (() => Date.now()));
  return { ...sandboxOn(database, { ...options, serviceNow: () => clock.now() }), clock };
}

function sandboxOn(database: SandboxDatabase, options: SandboxOptions): Sandbox {
  const { processorDeadlineMs, lateExecutionDelayMs = LATE_EXECUTION_DELAY_MS } = options;
  const { realNow = () => Date.now(), serviceNow = realNow } = options;
  const ledger = new Ledger(database);
  const times = { processorDeadlineMs, lateExecutionDelayMs, realNow, serviceNow };
  const terminals = new Terminals(database, times);
  const sessions = new TerminalSessions(database);
  const parts = { database, ledger, terminals, sessions, times };
  const execution = new RequestExecution(parts);
  const acquirer = new Acquirer(parts, execution);
  return {
    processorDeadlineMs,
    acquirer,
    terminals,
    customers: new Customers(parts, execution.terminalTransactions),
    threeDs: new ThreeDsSimulator(database, serviceNow),
    bank: execution.bank,
    ledger: new LedgerAudit(database, ledger, () => {
      for (const key of ledger.keysDue(realNow())) acquirer.executeDue(key);
      for (const key of sessions.keysDue(serviceNow(), realNow())) acquirer.pollCustomer(key);
      execution.bank.settleAll();
    }),
    unavailableReason: () => database.unavailableReason(),
    close: () => database.close(),
  };
}
