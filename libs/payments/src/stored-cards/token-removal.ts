import {
  endedAttempts,
  recordKeysDestroyed,
  rejected,
  removeToken,
  type RemoveToken,
  type Token,
  type TokenDecision,
  type TokenState,
} from '@tillstream/domain';
import { iso } from '../ports/clock.port.js';
import type { Cause } from '../stream-repository/event-metadata.js';
import { newCommandId, requestIdentity } from '../identifiers.js';
import type { LoadedToken } from '../stream-repository/repositories.js';
import { writeThrough } from '../read-model-write-through/write-through.js';
import {
  handleFailureAfterStored,
  handleFailureBeforeStored,
  unclaimedReference,
} from '../requests/request.failures.js';
import type { RequestContext } from '../requests/request.types.js';
import { requestCause, writeRequest } from '../requests/request.writer.js';
import type { TokenResult } from './stored-card.types.js';
import { attemptSubject } from './vault.codec.js';
import { loadOwnToken, tokenNotFound } from './token-details.js';
import type { Parts } from '../parts.js';

/** Ends a token in three steps: `TokenRemoved`, then the vault destroys its keys, then `TokenKeysDestroyed`. */
export class TokenRemoval {
  constructor(
    private readonly parts: Pick<Parts, 'tokens' | 'vault' | 'clock' | 'crashPoints' | 'log' | 'readModels'>,
  ) {}

  decide(
    state: TokenState,
    removal: Omit<RemoveToken, 'at' | 'commandId'> & { readonly commandId?: string },
  ): TokenDecision {
    const { commandId = newCommandId() } = removal;
    return removeToken(state, { ...removal, commandId, at: iso(this.parts.clock.now()) });
  }

  /** If the store or the vault fails, the removal stands and the resolver destroys the keys later. */
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

  /**
   * Destroys the keys of a removed token, or of one whose creation failed, and those of a form's attempts that have an
   * outcome. Repeatable. @throws VaultError
   */
  async destroyKeys(loaded: LoadedToken, cause: Cause): Promise<LoadedToken> {
    const { tokens, vault, clock, crashPoints } = this.parts;
    const { state } = loaded;
    if (state.status === 'None') return loaded;
    for (const number of endedFormAttempts(state)) await vault.destroy(attemptSubject(state.id, number));
    const hasEnded = state.status === 'Removed' || state.status === 'Failed';
    if (!hasEnded || state.keysDestroyed) return loaded;
    await vault.destroy(state.id);
    crashPoints.reached('before-outcome');
    const at = iso(clock.now());
    const written = await tokens.transact(loaded, cause, (now) => recordKeysDestroyed(now, { at }));
    return written.kind === 'Written' ? written.loaded : loaded;
  }

  /**
   * Removes a token because its holder is erased. True if nothing is left to do: the token is removed and its keys are
   * destroyed, its creation failed, or it belongs to another holder. False while its creation runs.
   */
  async removeForErasedHolder(stream: string, erasedHolderId: string, cause: Cause): Promise<boolean> {
    const loaded = await this.parts.tokens.load(stream);
    const { state } = loaded;
    if (state.status === 'None') return true;
    if (state.status !== 'Removed' && state.accountHolderId !== erasedHolderId) return true;
    if (state.status === 'Pending') return false;
    if (state.status === 'Failed') {
      // A terminal's failed verification sealed nothing.
      return !state.form || isWithoutKeys(await this.destroyKeysNow(loaded, cause));
    }
    let removed = loaded;
    if (state.status === 'Active') {
      const written = await this.parts.tokens.transact(loaded, cause, (now) =>
        this.decide(now, { erasedHolderId }),
      );
      if (written.kind !== 'Written') return false;
      removed = written.loaded;
    }
    const ended = await this.destroyKeysNow(removed, cause);
    if (state.status === 'Active') await writeThrough(this.parts.readModels, ended);
    return isWithoutKeys(ended);
  }
}

function isWithoutKeys({ state }: LoadedToken): boolean {
  return (state.status === 'Removed' || state.status === 'Failed') && state.keysDestroyed;
}

/** Of a form: what each attempt sealed has a key of its own. */
function endedFormAttempts(state: Token): readonly number[] {
  const [creation] = state.operations;
  return state.form && creation ? endedAttempts(creation) : [];
}

/** Removes a token at a merchant's request. */
export async function removeStoredCard(
  parts: Parts,
  context: RequestContext,
  tokenId: string,
): Promise<TokenResult> {
  return handleFailureBeforeStored(parts, context, unclaimedReference(), async () => {
    const loaded = await loadOwnToken(parts.tokens, context.merchant.id, tokenId);
    if (!loaded) return rejected(tokenNotFound);
    const { commandId } = requestIdentity(context.idempotency, parts.clock);
    const cause = requestCause(context, commandId);
    const written = await writeRequest(parts, parts.tokens, { context, known: loaded, cause }, (state) =>
      parts.removal.decide(state, { commandId }),
    );
    if (written.kind === 'Unwritten') return { kind: 'Interrupted', operationId: written.operationId };
    if (written.kind !== 'Written') return written;
    const { loaded: token, value: operationId } = written;
    return handleFailureAfterStored(parts, operationId, async () => {
      const removed = await parts.removal.destroyKeysNow(token, cause);
      await writeThrough(parts.readModels, removed);
      return parts.tokenDetails.tokenResult(removed, operationId);
    });
  });
}

export function isStoreOrVaultError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && (error.name === 'VaultError' || error.name === 'EventStoreError');
}
