export * from './acquirer.vocabulary.js';
export { type Acquirer } from './acquirer.js';
export {
  CARDS,
  cardByNumber,
  DEFAULT_TERMINAL_CARD,
  NAMED_CARDS,
  type NamedCard,
  type SandboxCard,
} from './cards.table.js';
export {
  controlsOf,
  WORLD_TABLES,
  type CustomerControls,
  type TerminalControls,
  type WorldControls,
  type WorldTables,
} from './controls.js';
export * from './customer.vocabulary.js';
export { type Customers } from './customers.js';
export { hostText } from './host-codes.table.js';
export { type LedgerAudit, type PaymentNet, type Verification } from './ledger.audit.js';
export { type Movement, type MovementKind, type StoredRequest } from './ledger.js';
export { mayRefuseConnection, type ClosedDoor } from './closed.door.js';
export { NothingExecuted, SandboxRefusal } from './sandbox.errors.js';
export {
  openSandbox,
  openToldSandbox,
  type Sandbox,
  type SandboxOptions,
  type ToldSandbox,
} from './sandbox.js';
export { clockOffsetIn, isNewSandbox, sandboxWasUsed } from './sandbox.use.js';
export { TERMINAL_CARDS, type TerminalCardChoice } from './terminal.cards.js';
export { CHIP_READ_MS, CUSTOMER_WITHIN_MS } from './terminal.transactions.js';
export {
  TERMINAL_MODES,
  type SimulatedTerminal,
  type TerminalMode,
  type Terminals,
  type TerminalSettings,
} from './terminals.js';
export * from './wire/answer.checks.js';
export * from './wire/request.checks.js';
export { type Check } from './wire/wire.checks.js';
export * from './wire/wire.shapes.js';
export { ConnectionRefused, tellOf } from './wire/telling.js';
