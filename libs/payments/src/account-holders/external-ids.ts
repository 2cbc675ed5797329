import {
  claimedHolder,
  externalIdCodec,
  externalIdStream,
  streamOfHolder,
  type ExternalIdEvent,
} from '@tillstream/domain';
import { readWholeStream, transact, type EventStore, type RecordedEvent } from '@tillstream/event-store';
import { iso, type Clock } from '../ports/clock.port.js';
import { fromRecorded, eventMetadata, toNewEvents, type Cause } from '../stream-repository/event-metadata.js';
import { sha256 } from '../identifiers.js';
import type { HolderRepository, LoadedHolder } from '../stream-repository/stream-repositories.js';
import type { Timings } from '../timings.js';

export type ExternalIdClaim =
  /** The name is this holder's: another id than was asked for where a creation died under it. */
  | { readonly kind: 'Claimed'; readonly holderId: string }
  | { readonly kind: 'Taken'; readonly holder?: LoadedHolder };

export const hashOfExternalId = sha256;

/**
 * A merchant's own names for its holders (`docs/spec/payment-methods.md#account-holders`): claimed before the holder
 * says so itself. A claim holds while its holder goes by it. One whose holder is not made yet is adopted by the next
 * creation; one whose holder is erased, goes by another name, or should have gone by this one long since, is free.
 */
export class ExternalIds {
  constructor(
    private readonly store: EventStore,
    private readonly holders: HolderRepository,
    private readonly clock: Clock,
    private readonly timings: Timings,
  ) {}

  /** The holder that goes by it. */
  async find(merchantId: string, externalId: string): Promise<LoadedHolder | undefined> {
    const hash = hashOfExternalId(externalId);
    const { holderId } = claimIn(await readWholeStream(this.store, externalIdStream(merchantId, hash)));
    const holder = await this.holder(holderId);
    return holder && hasExternalId(holder, hash) ? holder : undefined;
  }

  /**
   * Durable when it resolves. `change`: of a holder that exists, which can't take over another's creation. Whoever has
   * claimed writes the holder within `sendWithin`, or not at all.
   */
  async claim(
    merchantId: string,
    externalId: string,
    holderId: string,
    cause: Cause,
    { change = false } = {},
  ): Promise<ExternalIdClaim> {
    const hash = hashOfExternalId(externalId);
    const stream = externalIdStream(merchantId, hash);
    for (;;) {
      const history = await readWholeStream(this.store, stream);
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
      // An old claim is renewed: nobody takes it for a dead one while its holder is on the way.
      const data = { at: iso(this.clock.now()), holderId: claimedId };
      if (await this.append(stream, history, { type: 'ExternalIdClaimed', data }, cause)) {
        return { kind: 'Claimed', holderId: claimedId };
      }
    }
  }

  /** Nothing where another holder has it by now, or this one goes by it again. */
  async release(merchantId: string, hash: string, holderId: string, cause: Cause): Promise<void> {
    const stream = externalIdStream(merchantId, hash);
    for (;;) {
      const history = await readWholeStream(this.store, stream);
      const holder = await this.holder(claimIn(history).holderId);
      if (holder?.holderId !== holderId || hasExternalId(holder, hash)) return;
      const data = { at: iso(this.clock.now()), holderId };
      if (await this.append(stream, history, { type: 'ExternalIdReleased', data }, cause)) return;
    }
  }

  /** False where somebody else was faster. */
  private async append(
    stream: string,
    knownHistory: readonly RecordedEvent[],
    event: ExternalIdEvent,
    cause: Cause,
  ): Promise<boolean> {
    const events = toNewEvents(externalIdCodec, [event], cause, this.clock);
    const decide = (): { events: typeof events; value: undefined } => ({ events, value: undefined });
    return (await transact(this.store, { stream, knownHistory, attempts: 1, decide })).kind === 'Done';
  }

  private async holder(
    holderId: string | undefined,
  ): Promise<(LoadedHolder & { readonly holderId: string }) | undefined> {
    const stream = holderId === undefined ? undefined : streamOfHolder(holderId);
    if (holderId === undefined || !stream) return undefined;
    return { ...(await this.holders.load(stream)), holderId };
  }

  /** Somebody may be on the way to write its holder. */
  private isFresh(claimedAt: number): boolean {
    return this.clock.realNow() <= claimedAt + this.timings.sendWithin + this.timings.margin;
  }
}

function claimIn(history: readonly RecordedEvent[]): {
  readonly holderId?: string;
  readonly realTime: number;
} {
  const holderId = claimedHolder(history.map((one) => fromRecorded(externalIdCodec, one)));
  const last = history.findLast(({ type }) => type === 'ExternalIdClaimed');
  return {
    ...(holderId !== undefined && { holderId }),
    realTime: last ? Date.parse(eventMetadata(last).realTime) : 0,
  };
}

function hasExternalId({ state }: LoadedHolder, hash: string): boolean {
  return state.status === 'Active' && state.externalIdHash === hash;
}
