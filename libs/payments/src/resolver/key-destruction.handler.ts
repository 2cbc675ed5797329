import { streamOfHolder } from '@tillstream/domain';
import { serviceActor } from '../stream-repository/event-metadata.js';
import type { HolderId } from '../work-queue/work-queue.port.js';
import type { ResolverParts } from './payment.context.js';
import type { TokenContext } from './token.context.js';
import type { WorkItemResult } from './work-item.result.js';

/* What whoever removed a token or erased a holder could not finish. A vault that is away makes it wait. */

export async function destroyKeys(
  parts: ResolverParts,
  { loaded, cause }: TokenContext,
): Promise<WorkItemResult> {
  const { state } = await parts.removal.destroyKeys(loaded, cause);
  const isOver = state.status !== 'None' && (state.keysDestroyed || !hasNoUse(state.status));
  return isOver ? 'Done' : 'Again';
}

export async function finishErasure(parts: ResolverParts, holderId: HolderId): Promise<WorkItemResult> {
  const stream = streamOfHolder(holderId);
  const holder = stream && (await parts.holders.load(stream));
  if (!holder || holder.state.status === 'None') return 'Operator';
  const { state } = holder;
  if (state.status !== 'Erased' || state.erasureFinished) return 'Done';
  const cause = { merchantId: state.merchantId, actor: serviceActor, causationId: holderId };
  const { finished } = await parts.erasure.finish({ ...holder, state }, cause);
  return finished ? 'Done' : 'Again';
}

/** The token was given to a holder that may have been erased in the same moment. */
export async function removeIfHolderErased(
  parts: ResolverParts,
  { loaded, token, cause }: TokenContext,
): Promise<WorkItemResult> {
  const stream = token.accountHolderId === undefined ? undefined : streamOfHolder(token.accountHolderId);
  const holder = stream && (await parts.holders.load(stream));
  if (!holder || holder.state.status !== 'Erased') return 'Done';
  return (await parts.removal.removeForErasedHolder(loaded.stream, holder.state.id, cause))
    ? 'Done'
    : 'Again';
}

function hasNoUse(status: TokenContext['token']['status']): boolean {
  return status === 'Removed' || status === 'Failed';
}
