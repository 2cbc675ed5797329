import { eraseHolder, type Holder, type HolderPersonal } from '@tillstream/domain';
import { EventStoreError } from '@tillstream/event-store';
import { VaultError } from '@tillstream/vault';
import { iso } from '../ports/clock.port.js';
import type { HolderErasure } from './holder-erasure.js';
import { holderView, type HolderRecords, type HolderRecordsParts } from './holder-records.js';
import { idForCommand, newCommandId, newId } from '../identifiers.js';
import type { PaymentsLog } from '../ports/log.port.js';
import type { ReadModelWriter } from '../read-model-write-through/read-model-writer.port.js';
import type { RequestContext } from '../requests/request.types.js';
import { requestCause } from '../requests/request.writer.js';
import { openHolderPersonal } from '../stored-cards/personal-data.codec.js';
import type { AccountHolders, HolderInput, HolderResult, HolderView } from './account-holder.types.js';
import { writeThroughHolder } from '../read-model-write-through/write-through.js';
import { isStoreOrVaultError } from '../stored-cards/token-removal.js';

export interface AccountHoldersParts extends HolderRecordsParts {
  readonly holderRecords: HolderRecords;
  readonly erasure: HolderErasure;
  readonly log: PaymentsLog;
  readonly readModels: ReadModelWriter;
}

/** Tokens that are removed while the client waits. The resolver removes the rest. */
const TOKENS_REMOVED_AT_ONCE = 25;

/** Account holders for merchants (`docs/spec/payment-methods.md#account-holders`). */
export class StreamAccountHolders implements AccountHolders {
  constructor(private readonly parts: AccountHoldersParts) {}

  create(context: RequestContext, fields: HolderInput, commandId?: string): Promise<HolderResult> {
    const command = commandId ?? newCommandId();
    return this.handleStoreFailure(async () => {
      // Without an external id, only an id that follows from the command lets a repeat find the holder.
      const isRepeatable = commandId !== undefined && fields.externalId === undefined;
      const holderId = isRepeatable ? idForCommand('acc_', commandId) : newId('acc_', this.parts.clock);
      const cause = requestCause(context, command);
      const { holderRecords } = this.parts;
      return this.result(await holderRecords.create(context.merchant.id, holderId, fields, command, cause));
    });
  }

  async find(merchantId: string, id: string): Promise<HolderView | undefined> {
    const found = await this.parts.holderRecords.find(merchantId, id);
    if (found?.state.status !== 'Active') return undefined;
    const personal = await this.readable(found.state);
    return personal && holderView(found.state, personal);
  }

  change(
    context: RequestContext,
    id: string,
    fields: HolderInput,
    commandId?: string,
  ): Promise<HolderResult> {
    const command = commandId ?? newCommandId();
    return this.handleStoreFailure(async () => {
      const cause = requestCause(context, command);
      return this.result(
        await this.parts.holderRecords.change(context.merchant.id, id, fields, command, cause),
      );
    });
  }

  erase(context: RequestContext, id: string, commandId?: string): Promise<HolderResult> {
    const command = commandId ?? newCommandId();
    return this.handleStoreFailure(async () => {
      const { holderRecords, holders, clock } = this.parts;
      const found = await holderRecords.find(context.merchant.id, id);
      if (!found) return notFound;
      const cause = requestCause(context, command);
      // Read before the erasure, which destroys the key.
      const personal = (await this.readable(found.state)) ?? {};
      const data = { at: iso(clock.now()), commandId: command };
      const written = await holders.transact(found.stream, cause, (state) => eraseHolder(state, data), {
        known: found,
      });
      if (written.kind === 'Contended') return written;
      if (written.kind === 'Rejected' || written.loaded.state.status === 'None') return notFound;
      const erased = { ...written.loaded, state: written.loaded.state };
      const settled = await this.parts.erasure
        .finish(erased, cause, TOKENS_REMOVED_AT_ONCE)
        .catch(this.logUnfinishedErasure(id));
      await writeThroughHolder(this.parts.readModels, settled?.holder ?? erased);
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
        return notFound;
      case 'Taken':
        return taken;
      case 'Contended':
        return written;
      case 'Written': {
        const { state } = written.loaded;
        await writeThroughHolder(this.parts.readModels, written.loaded);
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
      if (error instanceof VaultError && error.code === 'Destroyed') return notFound;
      const nothingWritten =
        error instanceof VaultError || (error instanceof EventStoreError && error.code !== 'Unknown');
      if (!nothingWritten) throw error;
      this.parts.log.error('request-not-written', { reason: error.code });
      return { kind: 'NotStored' };
    }
  }
}

const notFound = {
  kind: 'Rejected',
  rejection: { code: 'HolderNotFound', message: 'There is no such account holder.' },
} as const;
const taken = {
  kind: 'Rejected',
  rejection: { code: 'ExternalIdTaken', message: 'Another account holder has this external id.' },
} as const;
