/**
 * What an operator asked of the sandbox and it can't do. `UnknownMode`, `UnknownCard`: settings of a terminal.
 * `NobodyWaits`: no transaction on the terminal, or none that waits for what the customer did.
 */
export class TerminalControlError extends Error {
  override readonly name = 'SandboxRefusal';
  constructor(
    readonly code: 'UnknownMode' | 'UnknownCard' | 'NobodyWaits',
    message: string,
  ) {
    super(message);
  }
}

/** The ledger failed before its commit began: it is certain that nothing was executed. Any other error leaves that open. */
export class NothingExecuted extends Error {
  override readonly name = 'NothingExecuted';
  constructor(cause: unknown) {
    super(`the sandbox ledger did not execute: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
}
