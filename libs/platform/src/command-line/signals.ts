/** As a shell says it of a process that a signal ended. */
export const SIGNAL_CODES = { SIGINT: 130, SIGTERM: 143 } as const;
export type EndingSignal = keyof typeof SIGNAL_CODES;

/** One Ctrl-C under npm is two signals: the terminal's own, and the one that npm passes on. */
const ONE_SIGNAL_MS = 1000;

/**
 * Aborted by the first SIGINT or SIGTERM, with its name as the reason, so that the step in hand can finish. Another one, a
 * second later or more, does not wait: the process ends at once, which must be as safe as a power cut.
 */
export function abortOnSignal(): AbortSignal {
  const interruption = new AbortController();
  let since: number | undefined;
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      const now = performance.now();
      if (since !== undefined && now - since > ONE_SIGNAL_MS) process.exit(SIGNAL_CODES[name]);
      since ??= now;
      interruption.abort(name);
    });
  }
  return interruption.signal;
}

/** The exit code of a command that ended because of this signal. */
export function signalExitCode({ reason }: AbortSignal): number {
  return reason === 'SIGTERM' ? SIGNAL_CODES.SIGTERM : SIGNAL_CODES.SIGINT;
}
