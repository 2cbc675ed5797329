import {
  recordKeysDestroyed,
  removeToken,
  type RemoveToken,
  type TokenDecision,
  type TokenState,
} from '@tillstream/domain';
import type { Vault } from '@tillstream/vault';
import { iso, type Clock } from '../ports/clock.port.js';
import type { CrashPoints } from '../ports/crash-points.port.js';
import type { Cause } from '../stream-repository/event-metadata.js';
import { newCommandId } from '../identifiers.js';
import type { LoadedToken, TokenRepository } from '../stream-repository/stream-repositories.js';
import type { PaymentsLog } from '../ports/log.port.js';
import type { ReadModelWriter } from '../read-model-write-through/read-model-writer.port.js';
import { writeThroughToken } from '../read-model-write-through/write-through.js';

export interface TokenRemovalParts {
  readonly tokens: TokenRepository;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly crashPoints: CrashPoints;
  readonly log: PaymentsLog;
  readonly readModels: ReadModelWriter;
}

/** The end of a token: it is removed first, then its keys are destroyed, then that is said. */
export class TokenRemoval {
  constructor(private readonly parts: TokenRemovalParts) {}

  decide(
    state: TokenState,
    removal: Omit<RemoveToken, 'at' | 'commandId'> & { readonly commandId?: string },
  ): TokenDecision {
    const { commandId = newCommandId() } = removal;
    return removeToken(state, { ...removal, commandId, at: iso(this.parts.clock.now()) });
  }

  /** What fails now the resolver does: the removal stands. Never rejects for it. */
  async destroyKeysNow(removed: LoadedToken, cause: Cause): Promise<LoadedToken> {
    this.parts.crashPoints.reached('after-request');
    try {
      return await this.destroyKeys(removed, cause);
    } catch (error) {
      if (!isStoreOrVaultError(error)) throw error;
      this.parts.log.error('keys-not-destroyed', { stream: removed.stream, reason: error.code });
      return removed;
    }
  }

  /** Of a token that was removed, or that never came to be. Repeating it is harmless. */
  async destroyKeys(loaded: LoadedToken, cause: Cause): Promise<LoadedToken> {
    const { tokens, vault, clock, crashPoints } = this.parts;
    const { state } = loaded;
    const isOver = state.status === 'Removed' || state.status === 'Failed';
    if (!isOver || state.keysDestroyed) return loaded;
    await vault.destroy(state.id);
    crashPoints.reached('before-outcome');
    const at = iso(clock.now());
    const written = await tokens.transact(loaded.stream, cause, (now) => recordKeysDestroyed(now, { at }), {
      known: loaded,
    });
    return written.kind === 'Written' ? written.loaded : loaded;
  }

  /**
   * Because its holder is erased. True where nothing is left to be done: it is removed and its keys are gone, it never
   * came to be, or it is another's. A creation under way is waited for.
   */
  async removeForErasedHolder(stream: string, erasedHolderId: string, cause: Cause): Promise<boolean> {
    const loaded = await this.parts.tokens.load(stream);
    const { state } = loaded;
    if (state.status === 'None') return true;
    if (state.status !== 'Removed' && state.accountHolderId !== erasedHolderId) return true;
    if (state.status === 'Pending') return false;
    if (state.status === 'Failed') return true;
    let removed = loaded;
    if (state.status === 'Active') {
      const written = await this.parts.tokens.transact(
        stream,
        cause,
        (now) => this.decide(now, { erasedHolderId }),
        { known: loaded },
      );
      if (written.kind !== 'Written') return false;
      removed = written.loaded;
    }
    const over = await this.destroyKeysNow(removed, cause);
    if (state.status === 'Active') await writeThroughToken(this.parts.readModels, over);
    return over.state.status === 'Removed' && over.state.keysDestroyed;
  }
}

type Failure = Error & { readonly code: string };

/** The store or the vault would not do it now. */
export function isStoreOrVaultError(error: unknown): error is Failure {
  return error instanceof Error && (error.name === 'VaultError' || error.name === 'EventStoreError');
}
