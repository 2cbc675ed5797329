export interface Terminal {
  /** Writes a line of the result. */
  line(text: string): void;
  /** Writes a line for people: an error, a note. */
  error(text: string): void;
  /** Progress bars are drawn here. Without it, progress is a line of `error` now and then. */
  readonly screen?: NodeJS.WritableStream;
}

/** The result goes to stdout, everything else to stderr. Bars are drawn only where stderr is a terminal. */
export function processTerminal(): Terminal {
  return {
    line: (text) => void process.stdout.write(`${text}\n`),
    error: (text) => void process.stderr.write(`${text}\n`),
    ...(process.stderr.isTTY && { screen: process.stderr }),
  };
}
