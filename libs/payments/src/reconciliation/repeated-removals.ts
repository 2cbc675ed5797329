import {
  eraseHolder,
  formatTokenId,
  HOLDER_CATEGORY,
  removeToken,
  streamOfHolder,
  streamOfToken,
  TOKEN_CATEGORY,
} from '@tillstream/domain';
import { streamCategory, type EventStore, type Position, type RecordedEvent } from '@tillstream/event-store';
import { idForCommand } from '../identifiers.js';
import { iso } from '../ports/clock.port.js';
import type { Ports } from '../parts.js';
import type { Actor } from '../requests/request.types.js';
import { eventMetadata } from '../stream-repository/event-metadata.js';
import type { WriteResult } from '../stream-repository/repositories.js';
import { createHolderRepository, createTokenRepository } from '../stream-repository/repositories.js';

/** A stored card was removed, or a person erased: the service has destroyed their keys, or is about to. */
export interface Removal {
  /** `pmt_tkn_…` or `acc_…`. */
  readonly id: string;
  readonly merchantId: string;
  /** Real time, RFC 3339. */
  readonly at: string;
}

const PAGE_EVENTS = 1_000;

/**
 * The removals and erasures since a time, oldest first: what a restore of a copy of that time brings back. Holds one page.
 * @param since real time, ms
 */
export async function* removalsSince(store: EventStore, since: number): AsyncGenerator<Removal> {
  let after: Position | undefined;
  for (;;) {
    const categories = [TOKEN_CATEGORY, HOLDER_CATEGORY];
    const page = await store.readAll({
      categories,
      limit: PAGE_EVENTS,
      ...(after !== undefined && { after }),
    });
    for (const event of page.events) {
      const removal = removalOf(event);
      if (removal && Date.parse(removal.at) >= since) yield removal;
    }
    if (page.end || page.next === undefined) return;
    after = page.next;
  }
}

function removalOf(event: RecordedEvent): Removal | undefined {
  if (event.type !== 'TokenRemoved' && event.type !== 'HolderErased') return undefined;
  const { merchantId, realTime: at } = eventMetadata(event);
  const name = event.stream.slice(event.stream.indexOf('-') + 1);
  const id = streamCategory(event.stream) === HOLDER_CATEGORY ? `acc_${name}` : formatTokenId(name);
  return { id, merchantId, at };
}

export interface RemovalToRepeat extends Pick<Removal, 'id'> {
  readonly actor: Actor;
  /** Stored with the event. */
  readonly reason: string;
}

/**
 * `NotInHistory`: the restored history has no such card or person, so nothing of it can be used. `NotFinished`: the copy was made
 * while the card was being stored. Nothing was written; the removal has to be repeated when the resolver has found the outcome.
 */
export type RepeatedRemoval = 'Removed' | 'RemovedBefore' | 'NotInHistory' | 'NotFinished';

/**
 * Removes a stored card, or erases a person, once more after a restore. The events are durable when it resolves; the resolver
 * of the service then destroys the keys. Undefined: the id is neither.
 */
export async function repeatRemoval(
  ports: Pick<Ports, 'store' | 'clock'>,
  { id, actor, reason }: RemovalToRepeat,
): Promise<RepeatedRemoval | undefined> {
  const commandId = idForCommand('removal-', id);
  const removal = { at: iso(ports.clock.now()), commandId };
  const cause = (merchantId: string) => ({ merchantId, actor, reason, causationId: commandId });
  const tokenStream = streamOfToken(id);
  if (tokenStream !== undefined) {
    const tokens = createTokenRepository(ports);
    const loaded = await tokens.load(tokenStream);
    if (loaded.state.status === 'None') return 'NotInHistory';
    const of = cause(loaded.state.merchantId);
    return resultOf(await tokens.transact(loaded, of, (state) => removeToken(state, removal)));
  }
  const holderStream = streamOfHolder(id);
  if (holderStream === undefined) return undefined;
  const holders = createHolderRepository(ports);
  const loaded = await holders.load(holderStream);
  if (loaded.state.status === 'None') return 'NotInHistory';
  const of = cause(loaded.state.merchantId);
  return resultOf(await holders.transact(loaded, of, (state) => eraseHolder(state, removal)));
}

type RemovalWriteResult = WriteResult<unknown, unknown, { readonly code: string }, unknown>;

function resultOf(written: RemovalWriteResult): RepeatedRemoval {
  switch (written.kind) {
    case 'Written':
      return written.events.length > 0 ? 'Removed' : 'RemovedBefore';
    case 'Rejected':
      return written.rejection.code === 'TokenNotFinished' ? 'NotFinished' : 'RemovedBefore';
    case 'Contended':
      throw new Error('others write to it at the moment; repeat the command');
  }
}
