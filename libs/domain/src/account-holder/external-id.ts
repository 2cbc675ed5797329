import type { ExternalIdEvent } from './holder.events.js';

/**
 * The holder that an external id means now, whether or not it was made; undefined: nobody. The last claim counts: each is
 * appended under the exact version that it was decided on, and one may take over what an erased holder, or a creation
 * that died, left behind. A release of what is no longer one's own says nothing.
 */
export function claimedHolder(events: Iterable<ExternalIdEvent>): string | undefined {
  let holderId: string | undefined;
  for (const { type, data } of events) {
    if (type === 'ExternalIdClaimed') holderId = data.holderId;
    else if (data.holderId === holderId) holderId = undefined;
  }
  return holderId;
}
