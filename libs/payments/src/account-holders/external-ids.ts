import {
  claimedHolder,
  externalIdCodec,
  externalIdStream,
  streamOfHolder,
  type ExternalIdEvent,
} from '@tillstream/domain';
import { readWholeStream, transact, type RecordedEvent } from '@tillstream/event-store';
import { iso } from '../ports/clock.port.js';
import { fromRecorded, eventMetadata, toNewEvents, type Cause } from '../stream-repository/event-metadata.js';
import { sha256 } from '../identifiers.js';
import type { LoadedHolder } from '../stream-repository/repositories.js';
import type { Parts } from '../parts.js';

type ExternalIdClaim =
  /** The external id belongs to this holder. Its id differs from the requested one if the claim adopted an unfinished creation. */
  | { readonly kind: 'Claimed'; readonly holderId: string }
  | { readonly kind: 'Taken'; readonly holder?: LoadedHolder };

export const hashOfExternalId = sha256;

/**
 * A merchant's external ids of its holders (`docs/spec/payment-methods.md#account-holders`). A claim is written before the
 * holder's stream has the external id. A claim is valid while its holder has the external id. If the holder does not exist
 * yet, the next creation adopts the claim. The external id is free again if the holder is erased, has another external id, or
 * did not take this one within `sendWithin` + `margin`.
 */
export class ExternalIds {
  constructor(private readonly ports: Pick<Parts, 'store' | 'holders' | 'clock' | 'timings'>) {}

  /** Finds the active holder that has the external id. */
  async find(merchantId: string, externalId: string): Promise<LoadedHolder | undefined> {
    const hash = hashOfExternalId(externalId);
    const { holderId } = claimIn(await readWholeStream(this.ports.store, externalIdStream(merchantId, hash)));
    const holder = await this.holder(holderId);
    return holder && hasExternalId(holder, hash) ? holder : undefined;
  }

  /**
   * The claim is durable when this resolves. `change`: the claim is for an existing holder, which can't adopt a creation.
   * After a claim the caller writes the holder within `sendWithin`, or not at all.
   */
  async claim(
    externalId: string,
    holderId: string,
    cause: Cause,
    { change = false } = {},
  ): Promise<ExternalIdClaim> {
    const hash = hashOfExternalId(externalId);
    const stream = externalIdStream(cause.merchantId, hash);
    for (;;) {
      const history = await readWholeStream(this.ports.store, stream);
      const claim = claimIn(history);
      const holder = await this.holder(claim.holderId);
      const isFresh = this.isFresh(claim.realTime);
      const adopts = holder?.state.status === 'None' && !change;
      const claimedId = adopts ? holder.holderId : holderId;
      if (adopts && isFresh) return { kind: 'Claimed', holderId: claimedId };
      if (holder && holder.holderId !== claimedId) {
        if (hasExternalId(holder, hash)) return { kind: 'Taken', holder };
        if (holder.state.status !== 'Erased' && isFresh) return { kind: 'Taken' };
      }
      // Renews an old claim, so that no other request takes it over while this one writes its holder.
      const data = { at: iso(this.ports.clock.now()), holderId: claimedId };
      if (await this.append(stream, history, { type: 'ExternalIdClaimed', data }, cause)) {
        return { kind: 'Claimed', holderId: claimedId };
      }
    }
  }

  /** Has no effect if another holder claimed the external id, or if this holder has it again. */
  async release(hash: string, holderId: string, cause: Cause): Promise<void> {
    const stream = externalIdStream(cause.merchantId, hash);
    for (;;) {
      const history = await readWholeStream(this.ports.store, stream);
      const holder = await this.holder(claimIn(history).holderId);
      if (holder?.holderId !== holderId || hasExternalId(holder, hash)) return;
      const data = { at: iso(this.ports.clock.now()), holderId };
      if (await this.append(stream, history, { type: 'ExternalIdReleased', data }, cause)) return;
    }
  }

  /** False: another writer appended first. */
  private async append(
    stream: string,
    knownHistory: readonly RecordedEvent[],
    event: ExternalIdEvent,
    cause: Cause,
  ): Promise<boolean> {
    const { store, clock } = this.ports;
    const events = toNewEvents(externalIdCodec, [event], cause, clock);
    const decide = () => ({ events, value: undefined });
    return (await transact(store, { stream, knownHistory, decisionsMax: 1, decide })).kind === 'Done';
  }

  private async holder(
    holderId: string | undefined,
  ): Promise<(LoadedHolder & { readonly holderId: string }) | undefined> {
    const stream = holderId === undefined ? undefined : streamOfHolder(holderId);
    if (holderId === undefined || !stream) return undefined;
    return { ...(await this.ports.holders.load(stream)), holderId };
  }

  /** The request that claimed may still write its holder. */
  private isFresh(claimedAt: number): boolean {
    return (
      this.ports.clock.realNow() <= claimedAt + this.ports.timings.sendWithin + this.ports.timings.margin
    );
  }
}

function claimIn(history: readonly RecordedEvent[]) {
  const holderId = claimedHolder(history.map((event) => fromRecorded(externalIdCodec, event)));
  const last = history.findLast(({ type }) => type === 'ExternalIdClaimed');
  return { holderId, realTime: last ? Date.parse(eventMetadata(last).realTime) : 0 };
}

function hasExternalId({ state }: LoadedHolder, hash: string): boolean {
  return state.status === 'Active' && state.externalIdHash === hash;
}
