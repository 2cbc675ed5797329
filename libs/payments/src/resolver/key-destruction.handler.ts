import { streamOfHolder } from '@tillstream/domain';
import { serviceActor } from '../stream-repository/event-metadata.js';
import type { HolderId } from '../work-queue/work-queue.port.js';
import type { Parts } from '../parts.js';
import type { TokenContext } from './operation.context.js';
import type { WorkItemResult } from './work-item.schedule.js';

/* Finishes removals of tokens and erasures of holders that a request left open, and destroys what the attempts of forms left. Waits while the vault is unavailable. */

export async function destroyKeys(parts: Parts, { loaded, cause }: TokenContext): Promise<WorkItemResult> {
  const { state } = await parts.removal.destroyKeys(loaded, cause);
  if (state.status === 'None') return 'Again';
  const needsKeys = state.status !== 'Removed' && state.status !== 'Failed';
  return state.keysDestroyed || needsKeys ? 'Done' : 'Again';
}

export async function finishErasure(parts: Parts, holderId: HolderId): Promise<WorkItemResult> {
  const stream = streamOfHolder(holderId);
  const holder = stream && (await parts.holders.load(stream));
  if (!holder || holder.state.status === 'None') return 'Operator';
  const { state } = holder;
  if (state.status !== 'Erased' || state.erasureFinished) return 'Done';
  const cause = { merchantId: state.merchantId, actor: serviceActor, causationId: holderId };
  const { finished } = await parts.erasure.finish({ ...holder, state }, cause);
  return finished ? 'Done' : 'Again';
}

/** Removes a token whose holder was erased while the token got its new holder. */
export async function removeIfHolderErased(
  parts: Parts,
  { loaded, token, cause }: TokenContext,
): Promise<WorkItemResult> {
  const stream = token.accountHolderId === undefined ? undefined : streamOfHolder(token.accountHolderId);
  const holder = stream && (await parts.holders.load(stream));
  if (!holder || holder.state.status !== 'Erased') return 'Done';
  return (await parts.removal.removeForErasedHolder(loaded.stream, holder.state.id, cause))
    ? 'Done'
    : 'Again';
}
