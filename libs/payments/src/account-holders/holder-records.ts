import {
  changeHolder,
  createHolder,
  holderNotFound,
  linkToken,
  rejected,
  streamOfHolder,
  type Holder,
  type HolderPersonal,
} from '@tillstream/domain';
import { VaultError, type Vault } from '@tillstream/vault';
import { iso, type Clock } from '../ports/clock.port.js';
import type { Cause } from '../stream-repository/event-metadata.js';
import { hashOfExternalId, type ExternalIds } from './external-ids.js';
import { newId } from '../identifiers.js';
import type {
  HolderRepository,
  LoadedHolder,
  HolderStreamWriteResult,
} from '../stream-repository/stream-repositories.js';
import { openHolderPersonal, sealPersonal } from '../stored-cards/personal-data.codec.js';
import type { HolderInput, HolderReference, HolderView } from './account-holder.types.js';
import type { Timings } from '../timings.js';

export interface HolderRecordsParts {
  readonly holders: HolderRepository;
  readonly externalIds: ExternalIds;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly timings: Timings;
}

export type ExistingHolder = LoadedHolder & { readonly state: Holder };

/** `personal`: the decrypted personal data, if this call wrote it. */
export type HolderWriteResult =
  | { readonly kind: 'Written'; readonly loaded: ExistingHolder; readonly personal?: HolderPersonal }
  | { readonly kind: 'NotFound' }
  | { readonly kind: 'Taken'; readonly holder?: LoadedHolder }
  | { readonly kind: 'Contended' };

/** Finds, creates, changes and links account holders. Only this class merges and seals their personal data. */
export class HolderRecords {
  constructor(private readonly parts: HolderRecordsParts) {}

  /** `id`: ours or the merchant's external id; an erased holder has only ours. Undefined: unknown or another merchant's. */
  async find(merchantId: string, id: string): Promise<ExistingHolder | undefined> {
    const { holders, externalIds } = this.parts;
    const stream = streamOfHolder(id);
    const loaded = stream ? await holders.load(stream) : await externalIds.find(merchantId, id);
    if (!loaded || loaded.state.status === 'None' || loaded.state.merchantId !== merchantId) return undefined;
    return { ...loaded, state: loaded.state };
  }

  /** `Missing`: no holder has the external id yet. Undefined: there is no holder with this `id`. */
  async findByReference(
    merchantId: string,
    reference: HolderReference,
  ): Promise<ExistingHolder | 'Missing' | undefined> {
    const { id, externalId = '' } = reference;
    const found = await this.find(merchantId, id ?? externalId);
    if (found?.state.status === 'Active') return found;
    return id === undefined ? 'Missing' : undefined;
  }

  /** Creates the holder if it is missing, and links the token to it before the token's stream has the holder. */
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
        decisionsMax: Number.POSITIVE_INFINITY,
      },
    );
    if (written.kind !== 'Written' || written.loaded.state.status === 'None') return 'NotFound';
    return { ...written.loaded, state: written.loaded.state };
  }

  /** Ignores the fields if the holder exists: a request for a token never edits a holder. */
  private async findOrCreate(
    merchantId: string,
    { id: _id, ...fields }: HolderReference,
    commandId: string,
    cause: Cause,
  ): Promise<ExistingHolder | 'Contended'> {
    const created = await this.create(merchantId, newId('acc_', this.parts.clock), fields, commandId, cause);
    if (created.kind === 'Written') return created.loaded;
    const found = await this.find(merchantId, fields.externalId ?? '');
    return found?.state.status === 'Active' ? found : 'Contended';
  }

  /** Creates the holder under `newHolderId`, or under the id of an unfinished creation. @throws VaultError, EventStoreError */
  async create(
    merchantId: string,
    newHolderId: string,
    fields: HolderInput,
    commandId: string,
    cause: Cause,
  ): Promise<HolderWriteResult> {
    const { holders, externalIds, vault, clock } = this.parts;
    const startedAt = clock.monotonicNow();
    const { externalId } = fields;
    let holderId = newHolderId;
    if (externalId !== undefined) {
      const claim = await externalIds.claim(merchantId, externalId, holderId, cause);
      if (claim.kind === 'Taken') return this.repeatOrTaken(claim, commandId);
      holderId = claim.holderId;
    }
    const loaded = await holders.load(requireHolderStream(holderId));
    if (loaded.state.status !== 'None' && !loaded.state.commandIds.includes(commandId))
      return { kind: 'Taken', holder: loaded };
    const sealed =
      loaded.state.status === 'None' ? await sealPersonal(vault, holderId, fields) : loaded.state.personal;
    if (this.isLate(startedAt)) return { kind: 'Contended' };
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
    return toHolderWriteResult(written, { ...fields });
  }

  /** @throws VaultError, EventStoreError */
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
    const startedAt = clock.monotonicNow();
    const { externalId } = fields;
    const { id: holderId, externalIdHash: before } = found.state;
    const hash = externalId === undefined ? undefined : hashOfExternalId(externalId);
    const renamed = hash !== undefined && hash !== before;
    if (renamed && externalId !== undefined) {
      const claim = await externalIds.claim(merchantId, externalId, holderId, cause, { change: true });
      if (claim.kind === 'Taken') return claim;
    }
    // An unchanged external id is not written: a concurrent change may set a new one.
    const { externalId: _unchanged, ...others } = fields;
    const changes = renamed ? fields : others;
    let personal: HolderPersonal = changes;
    const written = await holders.transactPrepared(
      found,
      async (state) => {
        if (state.status !== 'Active') return () => rejected(holderNotFound);
        personal = { ...(await this.personalOf(state)), ...changes };
        const sealed = await sealPersonal(this.parts.vault, holderId, personal);
        const newHash = renamed ? { externalIdHash: hash } : {};
        return (now) => changeHolder(now, { at: iso(clock.now()), commandId, personal: sealed, ...newHash });
      },
      async (known, decide) =>
        renamed && this.isLate(startedAt)
          ? { kind: 'Contended' as const }
          : holders.transact(known.stream, cause, decide, { known, decisionsMax: 1 }),
    );
    // If the release fails, the old external id is free all the same, because its holder has another one.
    if (renamed && before !== undefined && written.kind === 'Written')
      await externalIds.release(merchantId, before, holderId, cause).catch(() => undefined);
    return toHolderWriteResult(written, personal);
  }

  /** @throws VaultError, `Destroyed` if the key was destroyed */
  private async personalOf({ id, personal }: Holder): Promise<HolderPersonal> {
    const opened = await openHolderPersonal(this.parts.vault, personal);
    if (opened) return opened;
    throw new VaultError('Destroyed', `The key of the personal data of ${id} is destroyed.`);
  }

  /** Returns the existing holder if an earlier run of the same command created it. */
  private repeatOrTaken(
    claim: Extract<HolderWriteResult, { kind: 'Taken' }>,
    commandId: string,
  ): HolderWriteResult {
    const state = claim.holder?.state;
    if (!claim.holder || state?.status === undefined || state.status === 'None') return claim;
    if (!state.commandIds.includes(commandId)) return claim;
    return { kind: 'Written', loaded: { ...claim.holder, state } };
  }

  /** True: other requests may take over the claim (`external-ids.ts`), so a stalled process must not write the holder. */
  private isLate(startedAt: number): boolean {
    return this.parts.clock.monotonicNow() - startedAt > this.parts.timings.sendWithin;
  }
}

export function holderView({ id, createdAt, updatedAt }: Holder, personal: HolderPersonal): HolderView {
  return { id, ...personal, createdAt, updatedAt };
}

function requireHolderStream(holderId: string): string {
  const stream = streamOfHolder(holderId);
  if (!stream) throw new RangeError(`${holderId} is not an account holder's id`);
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
