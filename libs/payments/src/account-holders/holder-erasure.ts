import { finishErasure, streamOfToken } from '@tillstream/domain';
import { iso } from '../ports/clock.port.js';
import type { Cause } from '../stream-repository/event-metadata.js';
import type { LoadedHolder } from '../stream-repository/repositories.js';
import { isStoreOrVaultError } from '../stored-cards/token-removal.js';
import type { Parts } from '../parts.js';
import type { ExistingHolder } from './holder-records.js';

interface ErasureProgress {
  readonly holder: LoadedHolder;
  /** False: a step is left. Repeating all of them is harmless. */
  readonly finished: boolean;
}

/**
 * The steps after a holder was erased: destroys its keys, releases its external id, removes its tokens and destroys their
 * keys, then records that the erasure has finished. Each step can be repeated after a crash.
 */
export class HolderErasure {
  constructor(
    private readonly parts: Pick<Parts, 'holders' | 'externalIds' | 'removal' | 'vault' | 'clock' | 'log'>,
  ) {}

  /** `tokensMax`: removes at most this many tokens, for a caller that waits. */
  async finish(
    holder: ExistingHolder,
    cause: Cause,
    tokensMax = Number.POSITIVE_INFINITY,
  ): Promise<ErasureProgress> {
    const { holders, externalIds, removal, vault, clock } = this.parts;
    const { id, externalIdHash, tokenIds } = holder.state;
    const steps = [
      async () => {
        await vault.destroy(id);
        return true;
      },
      async () => {
        if (externalIdHash !== undefined) await externalIds.release(externalIdHash, id, cause);
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
    const written = await holders.transact(holder, cause, (state) => finishErasure(state, { at }));
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
