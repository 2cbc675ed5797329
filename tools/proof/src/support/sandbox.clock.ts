import type { SandboxClockMoved } from '@tillstream/contracts';
import { ApiClient, describeResponse } from './api.client.js';
import { sandboxFacts, type Deployment } from './deployment.js';

const SETTLE_TIMEOUT_MS = 40_000;

/**
 * Moves the service's clock, and waits until what fell due is done, for 30 s at most. Undefined: the process died, or did not
 * answer.
 *
 * @throws if the service refused the move
 */
export async function advanceClock(
  deployment: Deployment,
  origin: string,
  advanceSeconds: number,
  settle = true,
): Promise<SandboxClockMoved | undefined> {
  const api = new ApiClient(sandboxFacts(deployment));
  const answer = await api.send(origin, 'POST', '/admin/v1/sandbox/clock', {
    body: { advanceSeconds, settle },
    timeoutMs: SETTLE_TIMEOUT_MS,
  });
  if (!answer) return undefined;
  if (answer.status !== 200) throw new Error(`the clock was not moved: ${describeResponse(answer)}`);
  return JSON.parse(answer.text) as SandboxClockMoved;
}
