export * from './acquirer/acquirer.types.js';
export { type Acquirer } from './acquirer/acquirer.js';
export {
  CARDS,
  cardByNumber,
  DEFAULT_TERMINAL_CARD,
  NAMED_CARDS,
  type NamedCard,
  type SandboxCard,
} from './acquirer/cards.table.js';
export {
  terminalSimulatorControls,
  TERMINAL_SIMULATOR_TABLES,
  type CustomerControls,
  type TerminalControls,
  type TerminalSimulatorControls,
  type TerminalSimulatorTables,
} from './terminals/terminal-simulator.controls.js';
export * from './terminals/customer.types.js';
export { type Customers } from './terminals/customers.js';
export { hostText } from './acquirer/host-codes.table.js';
export { type LedgerAudit, type PaymentNet, type Verification } from './ledger/ledger.audit.js';
export { type Movement, type MovementKind, type StoredRequest } from './ledger/ledger.js';
export { mayRefuseConnection, type ConnectionRefusalCheck } from './acquirer/connection-refusal.check.js';
export { NothingExecuted, TerminalControlError } from './sandbox.errors.js';
export {
  openSandbox,
  openStandaloneSandbox,
  type Sandbox,
  type SandboxOptions,
  type StandaloneSandbox,
} from './sandbox.js';
export { readClockOffset, isNewSandbox, isSandboxUsed } from './sandbox.usage.js';
export { TERMINAL_CARDS, type TerminalCardChoice } from './terminals/terminal.cards.js';
export { CHIP_READ_MS, CUSTOMER_TIMEOUT_MS } from './terminals/terminal.transactions.js';
export {
  TERMINAL_MODES,
  type SimulatedTerminal,
  type TerminalMode,
  type Terminals,
  type TerminalSettings,
} from './terminals/terminals.js';
export * from './wire/response.checks.js';
export * from './wire/request.checks.js';
export { type Check } from './wire/wire.checks.js';
export * from './wire/wire.shapes.js';
export { ConnectionRefused, executeAndReport } from './wire/request.reporter.js';
