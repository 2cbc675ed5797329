import {
  isBankAccount,
  rejectUnusable,
  sealedPersonalData,
  rejected,
  streamOfHolder,
  updateToken,
  type Encrypted,
  type Token,
  type TokenDecision,
  type TokenPersonal,
  type TokenRejection,
  type TokenState,
} from '@tillstream/domain';
import { VaultError, type Vault } from '@tillstream/vault';
import { iso, type Clock } from '../ports/clock.port.js';
import type { Cause } from '../stream-repository/event-metadata.js';
import { noSuchHolder, type ExistingHolder } from '../account-holders/holder-records.js';
import { requestIdentity } from '../identifiers.js';
import { type LoadedToken, isStored } from '../stream-repository/repositories.js';
import {
  handleFailureAfterStored,
  handleFailureBeforeStored,
  unclaimedReference,
} from '../requests/request.failures.js';
import type { RequestContext } from '../requests/request.types.js';
import { requestCause, writeRequest, type CommandCause } from '../requests/request.writer.js';
import { openTokenPersonal, sealPersonal } from './vault.codec.js';
import type { StoredCardRejection, TokenUpdateRequest, TokenResult } from './stored-card.types.js';
import { writeThrough } from '../read-model-write-through/write-through.js';
import { loadOwnToken, tokenDetails, tokenNotFound } from './token-details.js';
import { isStoreOrVaultError } from './token-removal.js';
import type { Parts } from '../parts.js';

/** Changes the description, reference id, expiry, billing contact or holder of a token. */
export async function updateStoredCard(
  parts: Parts,
  context: RequestContext,
  tokenId: string,
  change: TokenUpdateRequest,
): Promise<TokenResult> {
  const { merchant } = context;
  return handleFailureBeforeStored(parts, context, unclaimedReference(change.referenceId), async () => {
    if (change.cardExpDate !== undefined && isPast(change.cardExpDate, parts.clock.now()))
      return rejected(expiryInThePast(change.cardExpDate, parts.clock));
    const loaded = await loadOwnToken(parts.tokens, merchant.id, tokenId);
    if (!loaded) return rejected(tokenNotFound);
    const rejection = updateRejection(loaded.state, change);
    if (rejection && rejection.code !== 'TokenNotFinished') return rejected(rejection);
    const { accountHolder } = change;
    const named = accountHolder && (await parts.holderRecords.findByReference(merchant.id, accountHolder));
    if (accountHolder && !named) return noSuchHolder;
    if (rejection) return rejected(rejection);

    const { commandId } = requestIdentity(context.idempotency, parts.clock);
    const cause = requestCause(context, commandId);
    const linked = await parts.holderRecords.linkToken(named, tokenId, cause);
    if (linked.kind !== 'Linked') return linked;
    return writeUpdate(parts, context, { loaded, change, cause, holder: linked.holder });
  });
}

interface PreparedUpdate {
  readonly loaded: LoadedToken;
  readonly change: TokenUpdateRequest;
  readonly cause: CommandCause;
  readonly holder?: ExistingHolder | undefined;
}

async function writeUpdate(
  parts: Parts,
  context: RequestContext,
  { loaded, change, cause, holder }: PreparedUpdate,
): Promise<TokenResult> {
  const { tokens, clock, vault } = parts;
  const { description, referenceId, cardExpDate } = change;
  let personal: TokenPersonal | undefined;
  const prepare = async (state: TokenState): Promise<(now: TokenState) => TokenDecision> => {
    if (state.status === 'None') return () => rejected(tokenNotFound);
    const rejection = updateRejection(state, change);
    if (rejection) return () => rejected(rejection);
    const merged = await sealChanges(vault, state, change);
    if (merged === 'Destroyed') return () => rejected(tokenNotFound);
    personal = merged?.personal;
    const command = {
      at: iso(clock.now()),
      commandId: cause.causationId,
      changesExpiry: cardExpDate !== undefined,
      ...(description !== undefined && { description }),
      ...(referenceId !== undefined && { referenceId }),
      ...(holder && { accountHolderId: holder.state.id }),
      ...(merged && { personal: merged.sealed }),
    };
    return (now) => updateToken(now, command);
  };
  const written = await tokens.transactPrepared(loaded, prepare, (known, decide) =>
    writeRequest(parts, tokens, { context, known, cause, decisionsMax: 1 }, decide),
  );
  if (written.kind === 'Unwritten') return { kind: 'Interrupted', operationId: written.operationId };
  if (written.kind !== 'Written') return written;
  parts.crashPoints.reached('after-request');
  const { loaded: updated, value: operationId } = written;
  return handleFailureAfterStored(parts, operationId, async () => {
    const token = holder ? await removeIfHolderErased(parts, updated, holder.state.id, cause) : updated;
    await writeThrough(parts.readModels, token);
    if (holder) await writeThrough(parts.readModels, holder);
    const details = personal && isStored(token) ? tokenDetails(token.state, personal) : undefined;
    return parts.tokenDetails.tokenResult(token, operationId, details);
  });
}

/** Merges the change into the token's personal data. Undefined if the change has none. @throws VaultError */
async function sealChanges(
  vault: Vault,
  token: Token,
  { cardExpDate, billingContact }: TokenUpdateRequest,
): Promise<{ readonly personal: TokenPersonal; readonly sealed: Encrypted } | 'Destroyed' | undefined> {
  if (cardExpDate === undefined && billingContact === undefined) return undefined;
  const sealed = sealedPersonalData(token);
  const opened = await openTokenPersonal(vault, sealed);
  if (sealed && !opened) return 'Destroyed';
  const personal = {
    ...opened,
    ...(cardExpDate !== undefined && { cardExpDate }),
    ...(billingContact && { billingContact }),
  };
  try {
    return { personal, sealed: await sealPersonal(vault, token.id, personal) };
  } catch (error) {
    if (error instanceof VaultError && error.code === 'Destroyed') return 'Destroyed';
    throw error;
  }
}

/** An erasure that read the holder's tokens before this update did not find the token. Then the update removes it. */
async function removeIfHolderErased(
  { holders, tokens, removal, log }: Parts,
  token: LoadedToken,
  holderId: string,
  cause: Cause,
): Promise<LoadedToken> {
  try {
    const holder = await holders.load(streamOfHolder(holderId) ?? '');
    if (holder.state.status !== 'Erased') return token;
    await removal.removeForErasedHolder(token.stream, holderId, cause);
    return await tokens.load(token.stream);
  } catch (error) {
    // The update stands. The resolver checks the holder again (`token.work-rules.ts`).
    if (!isStoreOrVaultError(error)) throw error;
    log.error('holder-not-looked-at', { holderId, reason: error.code });
    return token;
  }
}

/** In the order of `docs/spec/errors.md#which-answer-wins`. The caller checks the holder before `TokenNotFinished`. */
function updateRejection(token: Token, { cardExpDate }: TokenUpdateRequest): TokenRejection | undefined {
  const unusable = rejectUnusable(token);
  if (unusable?.code === 'TokenNotFound') return unusable;
  if (cardExpDate !== undefined && isBankAccount(token)) return expiryOfBankAccount;
  return unusable;
}

/**
 * @param cardExpDate MMYY, valid to the end of its month in UTC (`docs/spec/payment-methods.md#update-a-token`)
 * @param now service's clock, ms since 1970
 */
function isPast(cardExpDate: string, now: number): boolean {
  const month = Number(cardExpDate.slice(0, 2));
  const year = 2000 + Number(cardExpDate.slice(2));
  return now >= Date.UTC(year, month, 1);
}

function expiryInThePast(cardExpDate: string, clock: Clock): StoredCardRejection {
  const now = iso(clock.now());
  const details = `received ${cardExpDate}, allowed: from ${now.slice(5, 7)}${now.slice(2, 4)} on`;
  return { code: 'ExpiryInThePast', message: 'The card has expired by then.', details };
}

const expiryOfBankAccount = {
  code: 'ExpiryOfBankAccount',
  message: 'A bank account has no expiry date.',
} as const;
