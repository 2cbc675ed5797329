import { setTimeout as pause } from 'node:timers/promises';
import type { AcquirerRequest, Reaction } from '../acquirer/acquirer.types.js';
import type { Sandbox } from '../sandbox.js';
import { undefinedOnError } from '../sandbox.errors.js';
import type { ReportedReaction } from './wire.shapes.js';

/** The request was not received, and so not executed. */
export class ConnectionRefused extends Error {
  override readonly name = 'ConnectionRefused';
}

const TERMINAL_POLL_INTERVAL_MS = 100;
/** The longest time that Node's timers take, 24 days. */
const TIMER_MS_MAX = 2 ** 31 - 1;

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
  // From here on the request has arrived: no error may reach the caller, as some errors mean that nothing was executed.
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
  if (request.terminalId !== undefined && answersAfterMs > processorDeadlineMs) {
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

/** False if the signal was aborted before. `ms` may be Infinity: such a wait does not keep the process alive. */
function waitUnlessAborted(ms: number, signal: AbortSignal): Promise<boolean> {
  return pause(Math.min(ms, TIMER_MS_MAX), true, { signal, ref: ms !== Infinity }).catch(() => false);
}
