import type { AcquirerRequest, Reaction } from '../acquirer.vocabulary.js';
import type { Sandbox } from '../sandbox.js';
import type { Heard } from './wire.shapes.js';

/** Nothing was received, and so nothing executed. */
export class ConnectionRefused extends Error {
  override readonly name = 'ConnectionRefused';
}

/** How often a terminal is looked at while its customer is waited for, ms. */
const LOOK_AT_TERMINAL_MS = 100;

/**
 * Executes a request and tells, as time passes, what whoever sent it gets to hear: nothing at all, one thing, or that the
 * terminal's host is silent and later what it said. Resolves once nothing more will be heard, or whoever listened has
 * `gone`. Waiting executes nothing that would not happen without it: what is due is in the ledger.
 * @throws ConnectionRefused, and what `Acquirer.execute` throws; nothing else, and nothing later.
 */
export async function tellOf(
  { acquirer, processorDeadlineMs }: Pick<Sandbox, 'acquirer' | 'processorDeadlineMs'>,
  request: AcquirerRequest,
  tell: (heard: Heard) => void,
  gone: AbortSignal,
): Promise<void> {
  let reaction: Reaction = acquirer.execute(request);
  while (reaction.kind === 'AwaitsCustomer') {
    if (!(await passed(LOOK_AT_TERMINAL_MS, gone))) return;
    reaction = whatIs(() => acquirer.awaited(request.key)) ?? reaction;
  }
  switch (reaction.kind) {
    case 'ConnectionRefused':
      throw new ConnectionRefused('the processor refused the connection');
    case 'TerminalEnded':
      if (await passed(reaction.afterMs, gone))
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
    if (!(await passed(processorDeadlineMs, gone))) return;
    tell({ kind: 'HostSilent' });
    waited = processorDeadlineMs;
    if (answersAfterMs === Infinity) return;
  }
  if (!(await passed(answersAfterMs - waited, gone))) return;
  const answer = whatIs(() => acquirer.fallDue(request.key));
  if (answer) tell({ kind: 'Answered', answer });
  // Annulled meanwhile: nobody will ever say anything of it.
  else await passed(Infinity, gone);
}

/**
 * Undefined where the books could not be looked at. By then the request has arrived: an error must not pass for one of its
 * execution, of which some say that nothing happened.
 */
function whatIs<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}

/** False where whoever listened went before. */
function passed(ms: number, gone: AbortSignal): Promise<boolean> {
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
