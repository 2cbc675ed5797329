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
  /** False: a step is left. Repeating all of them is harmless. */
  readonly finished: boolean;
}

/**
 * The steps after a holder was erased: destroys its keys, releases its external id, removes its tokens and destroys their
 * keys, then records that the erasure has finished. Each step can be repeated after a crash.
 */
export class HolderErasure {
  constructor(private readonly parts: HolderErasureParts) {}

  /** `tokensMax`: removes at most this many tokens, for a caller that waits. */
  async finish(
    holder: LoadedHolder & { readonly state: Holder },
    cause: Cause,
    tokensMax = Number.POSITIVE_INFINITY,
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
      ...tokenIds.slice(0, tokensMax).map((tokenId) => async () => {
        const stream = streamOfToken(tokenId);
        return stream === undefined || removal.removeForErasedHolder(stream, id, cause);
      }),
    ];
    let finished = tokenIds.length <= tokensMax;
    for (const step of steps) finished = (await this.runStep(id, step)) && finished;
    if (!finished) return { holder, finished };
    const at = iso(clock.now());
    const written = await holders.transact(holder.stream, cause, (state) => finishErasure(state, { at }), {
      known: holder,
    });
    return written.kind === 'Written' ? { holder: written.loaded, finished } : { holder, finished: false };
  }

  /** A failed step is logged, and the other steps still run. */
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
