import {
  changeHolder,
  createHolder,
  holderNotFound,
  linkToken,
  rejected,
  streamOfHolder,
  type Holder,
  type HolderPersonal,
  type HolderState,
} from '@tillstream/domain';
import { VaultError } from '@tillstream/vault';
import { iso } from '../ports/clock.port.js';
import type { Cause } from '../stream-repository/event-metadata.js';
import { hashOfExternalId } from './external-ids.js';
import { newId } from '../identifiers.js';
import {
  type LoadedHolder,
  type HolderStreamWriteResult,
  type StoredStream,
  isStored,
} from '../stream-repository/repositories.js';
import { openHolderPersonal, sealPersonal } from '../stored-cards/vault.codec.js';
import type { HolderReference, HolderView } from './account-holders.js';
import type { Parts } from '../parts.js';
import type { CommandCause } from '../requests/request.writer.js';

export type ExistingHolder = StoredStream<HolderState>;

/** The holder that a request for a token names. `existing` is undefined if no holder has the external id yet. */
export interface NamedHolder {
  readonly reference: HolderReference;
  readonly existing: ExistingHolder | undefined;
}

/** `personal`: the decrypted personal data, if this call wrote it. */
type HolderWriteResult =
  | { readonly kind: 'Written'; readonly loaded: ExistingHolder; readonly personal?: HolderPersonal }
  | { readonly kind: 'NotFound' }
  | { readonly kind: 'Taken'; readonly holder?: LoadedHolder }
  | { readonly kind: 'Contended' };

/** Finds, creates, changes and links account holders. Only this class merges and seals their personal data. */
export class HolderRecords {
  constructor(
    private readonly parts: Pick<
      Parts,
      'holders' | 'externalIds' | 'vault' | 'clock' | 'timings' | 'crashPoints'
    >,
  ) {}

  /** `id`: ours or the merchant's external id; an erased holder has only ours. Undefined: unknown or another merchant's. */
  async find(merchantId: string, id: string): Promise<ExistingHolder | undefined> {
    const { holders, externalIds } = this.parts;
    const stream = streamOfHolder(id);
    const loaded = stream ? await holders.load(stream) : await externalIds.find(merchantId, id);
    return loaded && isStored(loaded) && loaded.state.merchantId === merchantId ? loaded : undefined;
  }

  /** Undefined: there is no active holder with the reference's `id`. */
  async findByReference(merchantId: string, reference: HolderReference): Promise<NamedHolder | undefined> {
    const { id, externalId = '' } = reference;
    const found = await this.find(merchantId, id ?? externalId);
    const existing = found?.state.status === 'Active' ? found : undefined;
    return existing || id === undefined ? { reference, existing } : undefined;
  }

  /** The named holder; creates a missing one. @throws VaultError, EventStoreError */
  async ensure(
    { reference, existing }: NamedHolder,
    cause: CommandCause,
  ): Promise<ExistingHolder | 'Contended'> {
    return existing ?? this.findOrCreate(reference, cause);
  }

  /**
   * Links a token to the holder that its request names, if any, and creates a missing holder. The holder's stream names the
   * token before the token's stream names the holder, so that an erasure finds every token of the holder.
   */
  async linkToken(named: NamedHolder | undefined, tokenId: string, cause: CommandCause) {
    const holder = named && (await this.ensure(named, cause));
    if (holder === 'Contended') return { kind: 'Contended' } as const;
    const linked = holder && (await this.appendLink(holder, tokenId, cause));
    if (holder && !linked) return noSuchHolder;
    this.parts.crashPoints.reached('after-claim');
    return { kind: 'Linked', holder: linked } as const;
  }

  private async appendLink(
    holder: ExistingHolder,
    tokenId: string,
    cause: Cause,
  ): Promise<ExistingHolder | undefined> {
    const data = { at: iso(this.parts.clock.now()), tokenId };
    const written = await this.parts.holders.transact(holder, cause, (state) => linkToken(state, data), {
      decisionsMax: Number.POSITIVE_INFINITY,
    });
    return written.kind === 'Written' && isStored(written.loaded) ? written.loaded : undefined;
  }

  /** Ignores the fields if the holder exists: a request for a token never edits a holder. */
  private async findOrCreate(
    { id: _id, ...fields }: HolderReference,
    cause: CommandCause,
  ): Promise<ExistingHolder | 'Contended'> {
    const created = await this.create(newId('acc_', this.parts.clock), fields, cause);
    if (created.kind === 'Written') return created.loaded;
    const found = await this.find(cause.merchantId, fields.externalId ?? '');
    return found?.state.status === 'Active' ? found : 'Contended';
  }

  /** Creates the holder under `newHolderId`, or under the id of an unfinished creation. @throws VaultError, EventStoreError */
  async create(newHolderId: string, fields: HolderPersonal, cause: CommandCause): Promise<HolderWriteResult> {
    const { merchantId, causationId: commandId } = cause;
    const { holders, externalIds, vault, clock } = this.parts;
    const startedAt = clock.monotonicNow();
    const { externalId } = fields;
    let holderId = newHolderId;
    if (externalId !== undefined) {
      const claim = await externalIds.claim(externalId, holderId, cause);
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
    const written = await holders.transact(loaded, cause, (state) => createHolder(state, data));
    return toHolderWriteResult(written, { ...fields });
  }

  /** @throws VaultError, EventStoreError */
  async change(id: string, fields: HolderPersonal, cause: CommandCause): Promise<HolderWriteResult> {
    const { merchantId, causationId: commandId } = cause;
    const { holders, externalIds, clock } = this.parts;
    const found = await this.find(merchantId, id);
    if (found?.state.commandIds.includes(commandId)) return { kind: 'Written', loaded: found };
    if (found?.state.status !== 'Active') return { kind: 'NotFound' };
    const startedAt = clock.monotonicNow();
    const { externalId } = fields;
    const { id: holderId, externalIdHash: before } = found.state;
    const hash = externalId === undefined ? undefined : hashOfExternalId(externalId);
    const renamed = hash !== undefined && hash !== before;
    if (renamed && externalId !== undefined) {
      const claim = await externalIds.claim(externalId, holderId, cause, { change: true });
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
          : holders.transact(known, cause, decide, { decisionsMax: 1 }),
    );
    // If the release fails, the old external id is free all the same, because its holder has another one.
    if (renamed && before !== undefined && written.kind === 'Written')
      await externalIds.release(before, holderId, cause).catch(() => undefined);
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
    const { holder } = claim;
    const isRepeat = holder && isStored(holder) && holder.state.commandIds.includes(commandId);
    return isRepeat ? { kind: 'Written', loaded: holder } : claim;
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
  if (!isStored(loaded)) return { kind: 'NotFound' };
  return { kind: 'Written', loaded, ...(events.length > 0 && { personal }) };
}

export const noSuchHolder = {
  kind: 'Rejected',
  rejection: { code: 'HolderNotFound', message: 'There is no such account holder.' },
} as const;
