/** The exit codes by which a shell reports that a signal ended a process. */
export const SIGNAL_CODES = { SIGINT: 130, SIGTERM: 143 } as const;
export type EndingSignal = keyof typeof SIGNAL_CODES;

/** One Ctrl-C under npm is two signals: one of the terminal, one that npm passes on. */
const ONE_SIGNAL_MS = 1000;

/**
 * Aborted by the first SIGINT or SIGTERM, with the signal's name as the reason, so that the command can finish its step.
 * A signal that comes a second later or more ends the process at once, which must be as safe as a power cut.
 */
export function abortOnSignal(): AbortSignal {
  const interruption = new AbortController();
  let firstAt: number | undefined;
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      const now = performance.now();
      if (firstAt !== undefined && now - firstAt > ONE_SIGNAL_MS) process.exit(SIGNAL_CODES[name]);
      firstAt ??= now;
      interruption.abort(name);
    });
  }
  return interruption.signal;
}

export function signalExitCode({ reason }: AbortSignal): number {
  return reason === 'SIGTERM' ? SIGNAL_CODES.SIGTERM : SIGNAL_CODES.SIGINT;
}
