import type { AcquirerRequest, Reaction } from '../acquirer/acquirer.types.js';
import type { Sandbox } from '../sandbox.js';
import type { ReportedReaction } from './wire.shapes.js';

/** Nothing was received, and so nothing executed. */
export class ConnectionRefused extends Error {
  override readonly name = 'ConnectionRefused';
}

/** How often a terminal is looked at while its customer is waited for, ms. */
const TERMINAL_POLL_INTERVAL_MS = 100;

/**
 * Executes a request and tells, as time passes, what whoever sent it gets to hear: nothing at all, one thing, or that the
 * terminal's host is silent and later what it said. Resolves once nothing more will be heard, or whoever listened has
 * `gone`. Waiting executes nothing that would not happen without it: what is due is in the ledger.
 * @throws ConnectionRefused, and what `Acquirer.execute` throws; nothing else, and nothing later.
 */
export async function executeAndReport(
  { acquirer, processorDeadlineMs }: Pick<Sandbox, 'acquirer' | 'processorDeadlineMs'>,
  request: AcquirerRequest,
  tell: (heard: ReportedReaction) => void,
  gone: AbortSignal,
): Promise<void> {
  let reaction: Reaction = acquirer.execute(request);
  while (reaction.kind === 'AwaitsCustomer') {
    if (!(await waitUnlessAborted(TERMINAL_POLL_INTERVAL_MS, gone))) return;
    reaction = undefinedOnError(() => acquirer.pollCustomer(request.key)) ?? reaction;
  }
  switch (reaction.kind) {
    case 'ConnectionRefused':
      throw new ConnectionRefused('the processor refused the connection');
    case 'TerminalEnded':
      if (await waitUnlessAborted(reaction.afterMs, gone))
        tell({ kind: 'TerminalEnded', resultCode: reaction.resultCode });
      return;
    case 'Answered':
    case 'LinkLost':
      return tell(reaction);
    case 'Silent':
      break;
  }

  let waited = 0;
  const { answersAfterMs = Infinity } = reaction;
  const onTerminal = 'terminalId' in request && request.terminalId !== undefined;
  if (onTerminal && answersAfterMs > processorDeadlineMs) {
    if (!(await waitUnlessAborted(processorDeadlineMs, gone))) return;
    tell({ kind: 'HostSilent' });
    waited = processorDeadlineMs;
    if (answersAfterMs === Infinity) return;
  }
  if (!(await waitUnlessAborted(answersAfterMs - waited, gone))) return;
  const answer = undefinedOnError(() => acquirer.executeDue(request.key));
  if (answer) tell({ kind: 'Answered', answer });
  // Annulled meanwhile: nobody will ever say anything of it.
  else await waitUnlessAborted(Infinity, gone);
}

/**
 * Undefined where the books could not be looked at. By then the request has arrived: an error must not pass for one of its
 * execution, of which some say that nothing happened.
 */
function undefinedOnError<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}

/** False where whoever listened went before. */
function waitUnlessAborted(ms: number, gone: AbortSignal): Promise<boolean> {
  if (gone.aborted) return Promise.resolve(false);
  return new Promise((resolve) => {
    const over = (is: boolean) => (): void => {
      clearTimeout(timer);
      gone.removeEventListener('abort', onGone);
      resolve(is);
    };
    const onGone = over(false);
    const timer = ms === Infinity ? undefined : setTimeout(over(true), ms);
    gone.addEventListener('abort', onGone);
  });
}
