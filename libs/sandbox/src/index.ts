export * from './acquirer.vocabulary.js';
export { type Acquirer } from './acquirer.js';
export { CARDS, cardByNumber, NAMED_CARDS, type NamedCard, type SandboxCard } from './cards.table.js';
export { type LedgerAudit, type PaymentNet, type Verification } from './ledger.audit.js';
export { type Movement, type MovementKind, type StoredRequest } from './ledger.js';
export { MAX_ADVANCE_SECONDS, type SandboxClock } from './sandbox.clock.js';
export { NothingExecuted, SandboxRefusal } from './sandbox.errors.js';
export { openSandbox, type Sandbox, type SandboxOptions } from './sandbox.js';
export {
  TERMINAL_MODES,
  type SimulatedTerminal,
  type TerminalMode,
  type Terminals,
  type TerminalSettings,
} from './terminals.js';
