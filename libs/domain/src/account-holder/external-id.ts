import { eventCodec, type Event } from '../shared/aggregate.js';

export const externalIdStream = (merchantId: string, externalIdHash: string): string =>
  `externalid-${merchantId}.${externalIdHash}`;

/**
 * Storage: these shapes never change (docs/adr/0014). Stream `externalid-<merchantId>.<hash>`: the holder that a
 * merchant's external id belongs to. A claim without its holder comes from a creation that is still running or that
 * crashed: the next creation makes the holder under the claimed id.
 */
export type ExternalIdEvent =
  | Event<'ExternalIdClaimed', { readonly at: string; readonly holderId: string }>
  | Event<'ExternalIdReleased', { readonly at: string; readonly holderId: string }>;

/** Frozen examples of each version are in `fixtures-externalid/`. */
export const externalIdCodec = eventCodec<ExternalIdEvent>({
  types: { ExternalIdClaimed: [], ExternalIdReleased: [] },
});

/**
 * The holder that has the external id now; undefined: it is free. The holder may not exist yet. The last claim counts:
 * each claim is appended with the expected revision on which it was decided, and it may take over the id of an erased
 * holder or of a creation that crashed. A release by any other holder has no effect.
 */
export function claimedHolder(events: Iterable<ExternalIdEvent>): string | undefined {
  let holderId: string | undefined;
  for (const { type, data } of events) {
    if (type === 'ExternalIdClaimed') holderId = data.holderId;
    else if (data.holderId === holderId) holderId = undefined;
  }
  return holderId;
}
