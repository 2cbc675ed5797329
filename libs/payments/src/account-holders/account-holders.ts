import { eraseHolder, type Holder, type HolderPersonal } from '@tillstream/domain';
import { EventStoreError } from '@tillstream/event-store';
import { VaultError } from '@tillstream/vault';
import { iso } from '../ports/clock.port.js';
import { holderView, noSuchHolder, type HolderRecords } from './holder-records.js';
import { idForCommand, newCommandId, newId } from '../identifiers.js';
import { writeThrough } from '../read-model-write-through/write-through.js';
import type { RequestContext } from '../requests/request.types.js';
import { requestCause } from '../requests/request.writer.js';
import { openHolderPersonal } from '../stored-cards/vault.codec.js';
import { isStoreOrVaultError } from '../stored-cards/token-removal.js';
import type { Parts } from '../parts.js';
import { isStored } from '../stream-repository/repositories.js';

/** Exactly one of `id` and `externalId` is given (the caller checks it). An unknown external id creates the holder. */
export interface HolderReference extends HolderPersonal {
  readonly id?: string;
}

/** An account holder with its personal data decrypted. */
export interface HolderView extends HolderPersonal {
  /** `acc_…`. */
  readonly id: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export type HolderResult =
  | { readonly kind: 'Done'; readonly holder: HolderView }
  | {
      readonly kind: 'Rejected';
      readonly rejection: { readonly code: 'HolderNotFound' | 'ExternalIdTaken'; readonly message: string };
    }
  | { readonly kind: 'NotStored' }
  | { readonly kind: 'Contended' };

/** Tokens that are removed while the client waits. The resolver removes the rest. */
const TOKENS_REMOVED_AT_ONCE = 25;

/**
 * Account holders for merchants (`docs/spec/payment-methods.md#account-holders`). `id` is an `acc_…` id or the merchant's
 * external id. A change with the `commandId` of an earlier change has no effect and returns the holder.
 */
export class AccountHolders {
  constructor(
    private readonly parts: Pick<
      Parts,
      'holderRecords' | 'holders' | 'erasure' | 'vault' | 'clock' | 'log' | 'readModels'
    >,
  ) {}

  create(context: RequestContext, fields: HolderPersonal, commandId?: string): Promise<HolderResult> {
    const command = commandId ?? newCommandId();
    return this.handleStoreFailure(async () => {
      // Without an external id, only an id that follows from the command lets a repeat find the holder.
      const isRepeatable = commandId !== undefined && fields.externalId === undefined;
      const holderId = isRepeatable ? idForCommand('acc_', commandId) : newId('acc_', this.parts.clock);
      const cause = requestCause(context, command);
      return this.result(await this.parts.holderRecords.create(holderId, fields, cause));
    });
  }

  /** Undefined: the holder is unknown, another merchant's or erased. */
  async find(merchantId: string, id: string): Promise<HolderView | undefined> {
    const found = await this.parts.holderRecords.find(merchantId, id);
    if (found?.state.status !== 'Active') return undefined;
    const personal = await this.readable(found.state);
    return personal && holderView(found.state, personal);
  }

  change(
    context: RequestContext,
    id: string,
    fields: HolderPersonal,
    commandId?: string,
  ): Promise<HolderResult> {
    const cause = requestCause(context, commandId ?? newCommandId());
    return this.handleStoreFailure(async () =>
      this.result(await this.parts.holderRecords.change(id, fields, cause)),
    );
  }

  /** Removes the holder's tokens and destroys its keys. Returns the holder as it was before. */
  erase(context: RequestContext, id: string, commandId?: string): Promise<HolderResult> {
    const command = commandId ?? newCommandId();
    return this.handleStoreFailure(async () => {
      const { holderRecords, holders, clock } = this.parts;
      const found = await holderRecords.find(context.merchant.id, id);
      if (!found) return noSuchHolder;
      const cause = requestCause(context, command);
      // Read before the erasure, which destroys the key.
      const personal = (await this.readable(found.state)) ?? {};
      const data = { at: iso(clock.now()), commandId: command };
      const written = await holders.transact(found, cause, (state) => eraseHolder(state, data));
      if (written.kind === 'Contended') return written;
      if (written.kind === 'Rejected' || !isStored(written.loaded)) return noSuchHolder;
      const erased = written.loaded;
      const settled = await this.parts.erasure
        .finish(erased, cause, TOKENS_REMOVED_AT_ONCE)
        .catch(this.logUnfinishedErasure(id));
      await writeThrough(this.parts.readModels, settled?.holder ?? erased);
      return { kind: 'Done', holder: holderView(found.state, personal) };
    });
  }

  /** The erasure is durable: after a failure the resolver does the remaining steps. */
  private logUnfinishedErasure(holderId: string): (error: unknown) => undefined {
    return (error) => {
      if (!isStoreOrVaultError(error)) throw error;
      this.parts.log.error('erasure-not-finished', { holderId, reason: error.code });
      return undefined;
    };
  }

  private async result(written: Awaited<ReturnType<HolderRecords['create']>>): Promise<HolderResult> {
    switch (written.kind) {
      case 'NotFound':
        return noSuchHolder;
      case 'Taken':
        return taken;
      case 'Contended':
        return written;
      case 'Written': {
        const { state } = written.loaded;
        await writeThrough(this.parts.readModels, written.loaded);
        const personal = written.personal ?? (await this.readable(state)) ?? {};
        return { kind: 'Done', holder: holderView(state, personal) };
      }
    }
  }

  /** Undefined: the holder's keys are destroyed. @throws VaultError `Unavailable` */
  private readable({ personal }: Holder): Promise<HolderPersonal | undefined> {
    return openHolderPersonal(this.parts.vault, personal);
  }

  /** Returns `NotStored` if certainly nothing was written. Throws the error of an append whose result is unknown. */
  private async handleStoreFailure(run: () => Promise<HolderResult>): Promise<HolderResult> {
    try {
      return await run();
    } catch (error) {
      // A concurrent request erased the holder.
      if (error instanceof VaultError && error.code === 'Destroyed') return noSuchHolder;
      const nothingWritten =
        error instanceof VaultError || (error instanceof EventStoreError && error.code !== 'Unknown');
      if (!nothingWritten) throw error;
      this.parts.log.error('request-not-written', { reason: error.code });
      return { kind: 'NotStored' };
    }
  }
}

const taken = {
  kind: 'Rejected',
  rejection: { code: 'ExternalIdTaken', message: 'Another account holder has this external id.' },
} as const;
