import {
  changeHolder,
  createHolder,
  holderNotFound,
  linkToken,
  rejected,
  streamOfHolder,
  ulid,
  type Holder,
  type HolderPersonal,
} from '@tillstream/domain';
import { VaultError, type Vault } from '@tillstream/vault';
import { iso, type Clock } from '../ports/clock.port.js';
import type { Cause } from '../stream-repository/event-metadata.js';
import { hashOfExternalId, type ExternalIds } from './external-ids.js';
import { newId, sha256 } from '../identifiers.js';
import type {
  HolderRepository,
  LoadedHolder,
  HolderStreamWriteResult,
} from '../stream-repository/stream-repositories.js';
import { openHolderPersonal, sealPersonal } from '../stored-cards/personal-data.codec.js';
import type { HolderFields, HolderReference, HolderView } from '../stored-cards/stored-card.types.js';
import type { Timings } from '../timings.js';

export interface HolderRecordsParts {
  readonly holders: HolderRepository;
  readonly externalIds: ExternalIds;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly timings: Timings;
}

export type ExistingHolder = LoadedHolder & { readonly state: Holder };
export type HolderInput = HolderFields & { readonly externalId?: string };

/** A written holder, with what is in it in the clear where this process knows it. */
export type HolderWriteResult =
  | { readonly kind: 'Written'; readonly loaded: ExistingHolder; readonly personal?: HolderPersonal }
  | { readonly kind: 'NotFound' }
  | { readonly kind: 'Taken'; readonly holder?: LoadedHolder }
  | { readonly kind: 'Contended' };

/** Account holders as streams: found, made, changed and linked. Personal data is merged and sealed here, and nowhere else. */
export class HolderRecords {
  constructor(private readonly parts: HolderRecordsParts) {}

  /** By our id or the merchant's own. Undefined: unknown or another merchant's; one that is erased is found by our id only. */
  async find(merchantId: string, id: string): Promise<ExistingHolder | undefined> {
    const { holders, externalIds } = this.parts;
    const stream = streamOfHolder(id);
    const loaded = stream ? await holders.load(stream) : await externalIds.find(merchantId, id);
    if (!loaded || loaded.state.status === 'None' || loaded.state.merchantId !== merchantId) return undefined;
    return { ...loaded, state: loaded.state };
  }

  /** `Missing`: an external id that nobody goes by yet. Undefined: there is no such holder. */
  async findByReference(
    merchantId: string,
    reference: HolderReference,
  ): Promise<ExistingHolder | 'Missing' | undefined> {
    const { id, externalId = '' } = reference;
    const found = await this.find(merchantId, id ?? externalId);
    if (found?.state.status === 'Active') return found;
    return id === undefined ? 'Missing' : undefined;
  }

  /** The holder of a request, made where it has to be, with the token linked before the token says so itself. */
  async linkHolder(
    merchantId: string,
    located: ExistingHolder | 'Missing',
    reference: HolderReference,
    tokenId: string,
    commandId: string,
    cause: Cause,
  ): Promise<ExistingHolder | 'NotFound' | 'Contended'> {
    const holder =
      located === 'Missing' ? await this.findOrCreate(merchantId, reference, commandId, cause) : located;
    if (holder === 'Contended') return holder;
    const data = { at: iso(this.parts.clock.now()), tokenId };
    const written = await this.parts.holders.transact(
      holder.stream,
      cause,
      (state) => linkToken(state, data),
      {
        known: holder,
        attempts: Number.POSITIVE_INFINITY,
      },
    );
    if (written.kind !== 'Written' || written.loaded.state.status === 'None') return 'NotFound';
    return { ...written.loaded, state: written.loaded.state };
  }

  /** Fields sent for a holder that exists are ignored (no silent edit). */
  private async findOrCreate(
    merchantId: string,
    { id: _id, ...fields }: HolderReference,
    commandId: string,
    cause: Cause,
  ): Promise<ExistingHolder | 'Contended'> {
    const made = await this.create(merchantId, newId('acc_', this.parts.clock), fields, commandId, cause);
    if (made.kind === 'Written') return made.loaded;
    const found = await this.find(merchantId, fields.externalId ?? '');
    return found?.state.status === 'Active' ? found : 'Contended';
  }

  /** Under this id, or under the one that a creation before it claimed and never made. @throws VaultError, and as the store does */
  async create(
    merchantId: string,
    asId: string,
    fields: HolderInput,
    commandId: string,
    cause: Cause,
  ): Promise<HolderWriteResult> {
    const { holders, externalIds, vault, clock } = this.parts;
    const since = clock.monotonicNow();
    const { externalId } = fields;
    let holderId = asId;
    if (externalId !== undefined) {
      const claim = await externalIds.claim(merchantId, externalId, holderId, cause);
      if (claim.kind === 'Taken') return this.repeatedOr(claim, commandId);
      holderId = claim.holderId;
    }
    const loaded = await holders.load(requireHolderStream(holderId));
    const personal = { ...fields };
    if (loaded.state.status !== 'None' && !loaded.state.commandIds.includes(commandId))
      return { kind: 'Taken', holder: loaded };
    const sealed =
      loaded.state.status === 'None' ? await sealPersonal(vault, holderId, personal) : loaded.state.personal;
    if (this.isLate(since)) return { kind: 'Contended' };
    const data = {
      at: iso(clock.now()),
      commandId,
      holderId,
      merchantId,
      ...(externalId !== undefined && { externalIdHash: hashOfExternalId(externalId) }),
      personal: sealed,
    };
    const written = await holders.transact(loaded.stream, cause, (state) => createHolder(state, data), {
      known: loaded,
    });
    return toHolderWriteResult(written, personal);
  }

  /** @throws VaultError, and as the store does */
  async change(
    merchantId: string,
    id: string,
    fields: HolderInput,
    commandId: string,
    cause: Cause,
  ): Promise<HolderWriteResult> {
    const { holders, externalIds, clock } = this.parts;
    const found = await this.find(merchantId, id);
    if (!found || (found.state.status === 'Erased' && !found.state.commandIds.includes(commandId)))
      return { kind: 'NotFound' };
    if (found.state.commandIds.includes(commandId)) return { kind: 'Written', loaded: found };
    const since = clock.monotonicNow();
    const { externalId } = fields;
    const { id: holderId, externalIdHash: before } = found.state;
    const hash = externalId === undefined ? undefined : hashOfExternalId(externalId);
    const renamed = hash !== undefined && hash !== before;
    if (renamed && externalId !== undefined) {
      const claim = await externalIds.claim(merchantId, externalId, holderId, cause, { change: true });
      if (claim.kind === 'Taken') return claim;
    }
    // The name that it has is nothing to write down: another change may give it a new one in the same moment.
    const { externalId: _unchanged, ...others } = fields;
    const changes = renamed ? fields : others;
    let personal: HolderPersonal = changes;
    const written = await holders.transactPrepared(
      found,
      async (state) => {
        if (state.status !== 'Active') return () => rejected(holderNotFound);
        personal = { ...(await this.personalOf(state)), ...changes };
        const sealed = await sealPersonal(this.parts.vault, holderId, personal);
        const more = renamed ? { externalIdHash: hash } : {};
        return (now) => changeHolder(now, { at: iso(clock.now()), commandId, personal: sealed, ...more });
      },
      async (known, decide) =>
        renamed && this.isLate(since)
          ? { kind: 'Contended' as const }
          : holders.transact(known.stream, cause, decide, { known, attempts: 1 }),
    );
    // What is not released now is free all the same: its holder does not go by it any more.
    if (renamed && before !== undefined && written.kind === 'Written')
      await externalIds.release(merchantId, before, holderId, cause).catch(() => undefined);
    return toHolderWriteResult(written, personal);
  }

  /** @throws VaultError, also where what is sealed can't be read any more */
  private async personalOf({ id, personal }: Holder): Promise<HolderPersonal> {
    const opened = await openHolderPersonal(this.parts.vault, personal);
    if (opened) return opened;
    throw new VaultError('Destroyed', `The personal data of ${id} can not be read any more.`);
  }

  /** A repeat finds what its first run made. */
  private repeatedOr(
    claim: Extract<HolderWriteResult, { kind: 'Taken' }>,
    commandId: string,
  ): HolderWriteResult {
    const state = claim.holder?.state;
    if (!claim.holder || state?.status === undefined || state.status === 'None') return claim;
    if (!state.commandIds.includes(commandId)) return claim;
    return { kind: 'Written', loaded: { ...claim.holder, state } };
  }

  /** A process that was stalled writes nothing under a claim that others may hold for dead (`external-ids.ts`). */
  private isLate(since: number): boolean {
    return this.parts.clock.monotonicNow() - since > this.parts.timings.sendWithin;
  }
}

/** Of a creation that has no name to be found by: the same command always means the same holder. */
export function holderIdForCommand(commandId: string): string {
  const bytes = Buffer.from(sha256(commandId), 'hex');
  return `acc_${ulid(bytes.readUIntBE(0, 6), bytes.subarray(6))}`;
}

export function holderView({ id, createdAt, updatedAt }: Holder, personal: HolderPersonal): HolderView {
  return { id, ...personal, createdAt, updatedAt };
}

function requireHolderStream(holderId: string): string {
  const stream = streamOfHolder(holderId);
  if (!stream) throw new RangeError(`${holderId} is no id of a holder`);
  return stream;
}

function toHolderWriteResult(written: HolderStreamWriteResult, personal: HolderPersonal): HolderWriteResult {
  if (written.kind === 'Contended') return written;
  if (written.kind === 'Rejected')
    return written.rejection.code === 'HolderNotFound' ? { kind: 'NotFound' } : { kind: 'Taken' };
  const { loaded, events } = written;
  if (loaded.state.status === 'None') return { kind: 'NotFound' };
  return {
    kind: 'Written',
    loaded: { ...loaded, state: loaded.state },
    ...(events.length > 0 && { personal }),
  };
}
