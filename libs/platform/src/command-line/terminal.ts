/** Where a command says what it has to say. */
export interface Terminal {
  /** The answer. */
  line(text: string): void;
  /** Complaints, and what only a person wants to read. */
  error(text: string): void;
  /** Replaces the last progress; absent where nobody watches. */
  progress?(text: string): void;
}

/** Answers on stdout, everything else on stderr; progress only where stderr is a terminal. */
export function processTerminal(): Terminal {
  return {
    line: (text) => void process.stdout.write(`${text}\n`),
    error: (text) => void process.stderr.write(`${text}\n`),
    // Longer than the terminal is wide it would not be replaced, but fill the screen.
    ...(process.stderr.isTTY && {
      progress: (text: string) =>
        void process.stderr.write(`\r\x1b[K${text.slice(0, process.stderr.columns - 1)}`),
    }),
  };
}
