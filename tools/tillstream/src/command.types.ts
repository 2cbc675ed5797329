import type { Terminal } from '@tillstream/platform/command-line';

/** What a command gets from its process, or from a test. */
export interface CommandContext {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly terminal: Terminal;
  /** Of the program, such as 0.1.0. */
  readonly version: string;
  /** Aborted by SIGINT or SIGTERM, for commands that take long. */
  signal(): AbortSignal;
  /** The user of the operating system, who is recorded as the actor if no other is given. */
  readonly user: string;
  /** Runs another tool of this repository on this process's terminal. Returns its exit code. */
  runTool(tool: Tool, args: readonly string[]): Promise<number>;
}

/** A folder under `tools/`. */
export type Tool = 'verify' | 'audit' | 'rebuild' | 'vault-keys' | 'migrate-events';

/** 0: done. 1: it failed, or found something wrong. 2: wrong use, or wrong settings. */
export const EXIT = { done: 0, failed: 1, wrongUse: 2 } as const;

/** The command could not be done; the message is a sentence for the operator. Exit code 1. */
export class Failed extends Error {
  override readonly name = 'Failed';
}
