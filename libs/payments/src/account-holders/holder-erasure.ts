import { finishErasure, streamOfToken, type Holder } from '@tillstream/domain';
import type { Vault } from '@tillstream/vault';
import { iso, type Clock } from '../ports/clock.port.js';
import type { Cause } from '../stream-repository/event-metadata.js';
import type { ExternalIds } from './external-ids.js';
import type { HolderRepository, LoadedHolder } from '../stream-repository/stream-repositories.js';
import type { PaymentsLog } from '../ports/log.port.js';
import { isStoreOrVaultError, type TokenRemoval } from '../stored-cards/token-removal.js';

export interface HolderErasureParts {
  readonly holders: HolderRepository;
  readonly externalIds: ExternalIds;
  readonly removal: TokenRemoval;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly log: PaymentsLog;
}

export interface ErasureProgress {
  readonly holder: LoadedHolder;
  /** False: something is left, as a creation under way. Doing it all again is harmless. */
  readonly finished: boolean;
}

/**
 * What follows when a holder was erased: its keys are destroyed, its name is free, its tokens are removed and their keys
 * destroyed. Then it says so. Each step can be repeated, whoever died at whichever.
 */
export class HolderErasure {
  constructor(private readonly parts: HolderErasureParts) {}

  /** `atMost`: so many tokens, where somebody waits for the answer. */
  async finish(
    holder: LoadedHolder & { readonly state: Holder },
    cause: Cause,
    atMost = Number.POSITIVE_INFINITY,
  ): Promise<ErasureProgress> {
    const { holders, externalIds, removal, vault, clock } = this.parts;
    const { id, merchantId, externalIdHash, tokenIds } = holder.state;
    const steps = [
      async () => {
        await vault.destroy(id);
        return true;
      },
      async () => {
        if (externalIdHash !== undefined) await externalIds.release(merchantId, externalIdHash, id, cause);
        return true;
      },
      ...tokenIds.slice(0, atMost).map((tokenId) => async () => {
        const stream = streamOfToken(tokenId);
        return stream === undefined || removal.removeForErasedHolder(stream, id, cause);
      }),
    ];
    let finished = tokenIds.length <= atMost;
    for (const step of steps) finished = (await this.runStep(id, step)) && finished;
    if (!finished) return { holder, finished };
    const at = iso(clock.now());
    const written = await holders.transact(holder.stream, cause, (state) => finishErasure(state, { at }), {
      known: holder,
    });
    return written.kind === 'Written' ? { holder: written.loaded, finished } : { holder, finished: false };
  }

  /** One step that fails keeps none of the others from being done. */
  private async runStep(holderId: string, step: () => Promise<boolean>): Promise<boolean> {
    try {
      return await step();
    } catch (error) {
      if (!isStoreOrVaultError(error)) throw error;
      this.parts.log.error('erasure-step-failed', { holderId, reason: error.code });
      return false;
    }
  }
}
