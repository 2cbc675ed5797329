import type { AcquirerRequest, Reaction } from '../acquirer/acquirer.types.js';
import type { Sandbox } from '../sandbox.js';
import type { ReportedReaction } from './wire.shapes.js';

/** The request was not received, and so not executed. */
export class ConnectionRefused extends Error {
  override readonly name = 'ConnectionRefused';
}

const TERMINAL_POLL_INTERVAL_MS = 100;

/**
 * Executes a request and reports the reactions when they are due: none, one, or `HostSilent` and later the host's response.
 * Resolves after the last one, or when the client aborts. The wait itself executes nothing that is not due in the ledger.
 * @throws ConnectionRefused and the errors of `Acquirer.execute`, only before the first report
 */
export async function executeAndReport(
  { acquirer, processorDeadlineMs }: Pick<Sandbox, 'acquirer' | 'processorDeadlineMs'>,
  request: AcquirerRequest,
  report: (reaction: ReportedReaction) => void,
  aborted: AbortSignal,
): Promise<void> {
  let reaction: Reaction = acquirer.execute(request);
  while (reaction.kind === 'AwaitsCustomer') {
    if (!(await waitUnlessAborted(TERMINAL_POLL_INTERVAL_MS, aborted))) return;
    reaction = undefinedOnError(() => acquirer.pollCustomer(request.key)) ?? reaction;
  }
  switch (reaction.kind) {
    case 'ConnectionRefused':
      throw new ConnectionRefused('the processor refused the connection');
    case 'TerminalEnded':
      if (await waitUnlessAborted(reaction.afterMs, aborted))
        report({ kind: 'TerminalEnded', resultCode: reaction.resultCode });
      return;
    case 'Answered':
    case 'LinkLost':
      return report(reaction);
    case 'Silent':
      break;
  }

  let waited = 0;
  const { answersAfterMs = Infinity } = reaction;
  const onTerminal = 'terminalId' in request && request.terminalId !== undefined;
  if (onTerminal && answersAfterMs > processorDeadlineMs) {
    if (!(await waitUnlessAborted(processorDeadlineMs, aborted))) return;
    report({ kind: 'HostSilent' });
    waited = processorDeadlineMs;
    if (answersAfterMs === Infinity) return;
  }
  if (!(await waitUnlessAborted(answersAfterMs - waited, aborted))) return;
  const answer = undefinedOnError(() => acquirer.executeDue(request.key));
  if (answer) report({ kind: 'Answered', answer });
  // The key was annulled: no response ever comes.
  else await waitUnlessAborted(Infinity, aborted);
}

/**
 * Undefined if the ledger could not be read. The request has arrived by now, so an error must not reach the caller: some
 * errors mean that nothing was executed.
 */
function undefinedOnError<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** False if the signal was aborted before. `ms` may be Infinity. */
function waitUnlessAborted(ms: number, aborted: AbortSignal): Promise<boolean> {
  if (aborted.aborted) return Promise.resolve(false);
  return new Promise((resolve) => {
    const settle = (waited: boolean): void => {
      clearTimeout(timer);
      aborted.removeEventListener('abort', onAbort);
      resolve(waited);
    };
    const onAbort = (): void => settle(false);
    const timer = ms === Infinity ? undefined : setTimeout(() => settle(true), ms);
    aborted.addEventListener('abort', onAbort);
  });
}
