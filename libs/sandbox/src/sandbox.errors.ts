import { errorMessage } from '@tillstream/runtime';

/**
 * The sandbox refuses a setting or action of a terminal. `NobodyWaits`: no transaction on the terminal waits for this
 * action of its customer.
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

/** The ledger failed before its commit: nothing was executed. After any other error the outcome is unknown. */
export class NothingExecuted extends Error {
  override readonly name = 'NothingExecuted';
  constructor(cause: unknown) {
    super(`the sandbox ledger did not execute: ${errorMessage(cause)}`, {
      cause,
    });
  }
}

/** Undefined if the ledger could not be read. What is due there stays due, and a later call finds it. */
export function undefinedOnError<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
