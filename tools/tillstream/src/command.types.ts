import type { Terminal } from '@tillstream/platform';

/** What stands around a command: the process in use, a test in tests. */
export interface World {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly terminal: Terminal;
  /** Of the operating system: whom changes are recorded for where nobody else is named. */
  readonly user: string;
  /** Runs another tool of this repository with these arguments on this process's terminal. Gives its exit code. */
  run(tool: Tool, args: readonly string[]): Promise<number>;
}

/** By its folder under `tools/`. */
export type Tool = 'verify' | 'rebuild' | 'vault-keys';

/** 0: done. 1: it failed, or found something wrong. 2: wrong use, or wrong settings. */
export const EXIT = { done: 0, failed: 1, wrongUse: 2 } as const;

export interface Command {
  /** For the list of commands: one line. */
  readonly summary: string;
  /** What `--help` prints; left out: it answers that itself. */
  readonly help?: string;
  /** Gives the exit code. Rejects with `WrongUse` or `Failed` where one sentence says it all. */
  run(args: readonly string[], world: World): Promise<number>;
}

/** The arguments are wrong: exit code 2. The message names the argument and what is allowed. */
export class WrongUse extends Error {
  override readonly name = 'WrongUse';
}

/** It could not be done: exit code 1. */
export class Failed extends Error {
  override readonly name = 'Failed';
}
