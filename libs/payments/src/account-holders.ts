import { eraseHolder, type Holder, type HolderPersonal } from '@tillstream/domain';
import { EventStoreError } from '@tillstream/event-store';
import { VaultError } from '@tillstream/vault';
import { iso } from './clock.port.js';
import type { HolderErasure } from './holder.erasure.js';
import { holderIdOfCommand, viewOf, type Fields, type Holders, type HoldersParts } from './holders.js';
import { newCommandId, newId } from './identities.js';
import type { PaymentsLog } from './log.port.js';
import type { ReadModelWriter } from './read-model.port.js';
import type { RequestContext } from './request.types.js';
import { causeOf } from './requesting.js';
import { openHolderPersonal } from './sealed.personal.js';
import type { AccountHolders, HolderResult, HolderView } from './stored-card.types.js';
import { tellOfHolder } from './telling.js';
import { isFailure } from './token.removal.js';

export interface AccountHoldersParts extends HoldersParts {
  readonly known: Holders;
  readonly erasure: HolderErasure;
  readonly log: PaymentsLog;
  readonly readModels: ReadModelWriter;
}

/** So many tokens are removed while the client waits; the resolver goes on with the rest. */
const REMOVED_AT_ONCE = 25;

/** Account holders as merchants see them (`docs/spec/payment-methods.md#account-holders`). */
export class StreamAccountHolders implements AccountHolders {
  constructor(private readonly parts: AccountHoldersParts) {}

  create(context: RequestContext, fields: Fields, commandId?: string): Promise<HolderResult> {
    const command = commandId ?? newCommandId();
    return this.answered(async () => {
      const found = commandId !== undefined && fields.externalId === undefined;
      const holderId = found ? holderIdOfCommand(commandId) : newId('acc_', this.parts.clock);
      const cause = causeOf(context, command);
      const made = await this.parts.known.create(context.merchant.id, holderId, fields, command, cause);
      return this.result(made);
    });
  }

  async find(merchantId: string, id: string): Promise<HolderView | undefined> {
    const found = await this.parts.known.find(merchantId, id);
    if (found?.state.status !== 'Active') return undefined;
    const personal = await this.readable(found.state);
    return personal && viewOf(found.state, personal);
  }

  change(context: RequestContext, id: string, fields: Fields, commandId?: string): Promise<HolderResult> {
    const command = commandId ?? newCommandId();
    return this.answered(async () => {
      const cause = causeOf(context, command);
      const changed = await this.parts.known.change(context.merchant.id, id, fields, command, cause);
      return this.result(changed);
    });
  }

  erase(context: RequestContext, id: string, commandId?: string): Promise<HolderResult> {
    const command = commandId ?? newCommandId();
    return this.answered(async () => {
      const { known, holders, clock } = this.parts;
      const found = await known.find(context.merchant.id, id);
      if (!found) return notFound;
      const cause = causeOf(context, command);
      // Before it is decided: afterwards nobody can read it.
      const personal = (await this.readable(found.state)) ?? {};
      const data = { at: iso(clock.now()), commandId: command };
      const written = await holders.write(found.stream, cause, (state) => eraseHolder(state, data), {
        known: found,
      });
      if (written.kind === 'Contended') return written;
      if (written.kind === 'Refused' || written.loaded.state.status === 'None') return notFound;
      const erased = { ...written.loaded, state: written.loaded.state };
      const settled = await this.parts.erasure.settle(erased, cause, REMOVED_AT_ONCE).catch(this.left(id));
      await tellOfHolder(this.parts.readModels, settled?.holder ?? erased);
      return { kind: 'Done', holder: viewOf(found.state, personal) };
    });
  }

  /** The holder is erased, whatever fails after that: the resolver does what is left. */
  private left(holderId: string): (error: unknown) => undefined {
    return (error) => {
      if (!isFailure(error)) throw error;
      this.parts.log.error('erasure-not-finished', { holderId, reason: error.code });
      return undefined;
    };
  }

  private async result(written: Awaited<ReturnType<Holders['create']>>): Promise<HolderResult> {
    switch (written.kind) {
      case 'NotFound':
        return notFound;
      case 'Taken':
        return taken;
      case 'Contended':
        return written;
      case 'Written': {
        const { state } = written.loaded;
        await tellOfHolder(this.parts.readModels, written.loaded);
        const personal = written.personal ?? (await this.readable(state)) ?? {};
        return { kind: 'Done', holder: viewOf(state, personal) };
      }
    }
  }

  /** Undefined where its keys are gone: it is erased, or that is on its way. @throws VaultError `Unavailable` */
  private readable({ personal }: Holder): Promise<HolderPersonal | undefined> {
    return openHolderPersonal(this.parts.vault, personal);
  }

  /** What was not written for certain is `NotStored`; an append without a known result is thrown as it is. */
  private async answered(run: () => Promise<HolderResult>): Promise<HolderResult> {
    try {
      return await run();
    } catch (error) {
      // Erased by somebody else while this was on its way.
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
  kind: 'Refused',
  refusal: { code: 'HolderNotFound', message: 'There is no such account holder.' },
} as const;
const taken = {
  kind: 'Refused',
  refusal: { code: 'ExternalIdTaken', message: 'Another account holder has this external id.' },
} as const;
