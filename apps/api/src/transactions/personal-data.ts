import type { Channel, TokenPersonal } from '@tillstream/domain';
import type { SealedItem } from '@tillstream/read-models';
import type { Log } from '@tillstream/platform';
import { VaultError, type Vault } from '@tillstream/vault';

/**
 * Opens the sealed data of the rows of a page in one call, in the order of the rows. Undefined: nothing was sealed, or
 * its key was destroyed. With `onFailure` an unavailable vault opens nothing; without it the error is thrown.
 *
 * @throws VaultError
 */
export async function openedPersonal<Personal>(
  vault: Pick<Vault, 'open'>,
  items: readonly Pick<SealedItem, 'personal'>[],
  onFailure?: (error: VaultError) => void,
): Promise<readonly (Personal | undefined)[]> {
  const sealed = items.flatMap(({ personal }) => (personal ? [personal] : []));
  if (sealed.length === 0) return items.map(() => undefined);
  const opening = vault.open(sealed).catch((error: unknown) => {
    if (!onFailure || !(error instanceof VaultError)) throw error;
    onFailure(error);
    return [];
  });
  const texts = (await opening).values();
  return items.map(({ personal }) => {
    const text = personal && texts.next().value;
    return text === undefined ? undefined : (JSON.parse(text) as Personal);
  });
}

/**
 * A billing contact is never shown of a token that was made at a terminal
 * (`docs/spec/payment-methods.md#billing-contact`), nor of one unknown here.
 */
export function showable(
  { cardExpDate, billingContact }: TokenPersonal = {},
  madeBy: Channel | undefined,
): TokenPersonal {
  const shown = madeBy !== undefined && madeBy !== 'CardPresent';
  return {
    ...(cardExpDate !== undefined && { cardExpDate }),
    ...(shown && billingContact && { billingContact }),
  };
}

/** For lists of transactions: without the vault they show less, and do not fail. */
export const logVaultFailure =
  (log: Log) =>
  ({ code }: VaultError): void =>
    log.error('personal-data-not-opened', { reason: code });
