/** For connections that a command has closed: some milliseconds, unless the server does not close its side. */
const CLOSING_MS = 5_000;

/**
 * Ends the process with the exit code of a command that is done, once its connections are closed. After 5 s it ends all the same:
 * a server that hangs must not keep the command from ending.
 */
export function endProcess(exitCode: number): void {
  process.exitCode = exitCode;
  setTimeout(() => process.exit(), CLOSING_MS).unref();
}
