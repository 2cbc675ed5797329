import { streamOfHolder } from '@tillstream/domain';
import { theService } from '../event-metadata.js';
import type { HolderId } from '../open-work.port.js';
import type { ResolveParts } from './case.js';
import type { TokenCase } from './token.case.js';
import type { Worked } from './worked.js';

/* What whoever removed a token or erased a holder could not finish. A vault that is away makes it wait. */

export async function destroyKeys(parts: ResolveParts, { loaded, cause }: TokenCase): Promise<Worked> {
  const { state } = await parts.removal.destroyKeys(loaded, cause);
  const isOver = state.status !== 'None' && (state.keysDestroyed || !hasNoUse(state.status));
  return isOver ? 'Done' : 'Again';
}

export async function finishErasure(parts: ResolveParts, holderId: HolderId): Promise<Worked> {
  const stream = streamOfHolder(holderId);
  const holder = stream && (await parts.holders.load(stream));
  if (!holder || holder.state.status === 'None') return 'Operator';
  const { state } = holder;
  if (state.status !== 'Erased' || state.erasureFinished) return 'Done';
  const cause = { merchantId: state.merchantId, actor: theService, causationId: holderId };
  const { finished } = await parts.erasure.settle({ ...holder, state }, cause);
  return finished ? 'Done' : 'Again';
}

/** The token was given to a holder that may have been erased in the same moment. */
export async function lookAtHolder(
  parts: ResolveParts,
  { loaded, token, cause }: TokenCase,
): Promise<Worked> {
  const stream = token.accountHolderId === undefined ? undefined : streamOfHolder(token.accountHolderId);
  const holder = stream && (await parts.holders.load(stream));
  if (!holder || holder.state.status !== 'Erased') return 'Done';
  return (await parts.removal.settle(loaded.stream, holder.state.id, cause)) ? 'Done' : 'Again';
}

function hasNoUse(status: TokenCase['token']['status']): boolean {
  return status === 'Removed' || status === 'Failed';
}
