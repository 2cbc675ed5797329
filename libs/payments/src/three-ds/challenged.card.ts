import type { Encrypted } from '@tillstream/domain';
import type { BillingDetails, CardDetails, CardNumber } from '@tillstream/processors';
import { VaultError, type Vault } from '@tillstream/vault';
import type { PaymentSecret } from '../attempts/attempt.aggregate.js';
import { parseSecretJson } from '../stored-cards/vault.codec.js';

/*
 * The card of an attempt whose cardholder answers a challenge. The vault keeps it under a subject of the attempt, so that any
 * process can go on after the challenge. It is destroyed after the attempt's outcome.
 */

/** Returns what an event may hold besides: the billing details, sealed. @throws VaultError */
export async function keepChallengedCard(
  vault: Vault,
  subject: string,
  { number, expDate }: CardDetails,
  billing: BillingDetails | undefined,
): Promise<Encrypted | undefined> {
  await vault.storeCard(subject, JSON.stringify({ number, expDate } satisfies CardNumber));
  return billing && vault.seal(subject, JSON.stringify(billing));
}

/** Undefined: the card was destroyed. @throws VaultError */
export async function openChallengedCard(
  vault: Vault,
  subject: string,
  sealed: Encrypted | undefined,
): Promise<PaymentSecret | undefined> {
  const { card, text } = await vault.openCardAndText(subject, sealed);
  if (card === undefined) return undefined;
  return {
    card: parseSecretJson(card) as CardNumber,
    ...(text !== undefined && { billing: parseSecretJson(text) as BillingDetails }),
  };
}

/** If the vault fails, the resolver destroys the card later. */
export async function destroyChallengedCard(vault: Vault, subject: string): Promise<void> {
  try {
    await vault.destroy(subject);
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
  }
}
