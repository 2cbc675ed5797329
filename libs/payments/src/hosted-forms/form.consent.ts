import type { Consent, ConsentPersonal, Encrypted } from '@tillstream/domain';
import { VaultError, type Vault } from '@tillstream/vault';
import { maskedAccountNumber } from '../stored-cards/bank-account.codec.js';
import { sealPersonal } from '../stored-cards/vault.codec.js';
import {
  authorizationText,
  CURRENT_AUTHORIZATION,
  currentAuthorization,
  type AuthorizationFacts,
  type FormAuthorization,
} from './authorization.texts.js';
import type { FormInStream } from './form.aggregates.js';
import { bankChannel } from './form.channel.js';
import type { FormClient, FormSubmission } from './hosted-form.types.js';

/* The authorization that a bank form shows, and its proof (`docs/spec/bank-payments.md#authorization`). */

interface MerchantOfForm {
  readonly name: string;
  readonly locale: string;
}

/** Undefined: the form takes cards. */
export function authorizationOf(
  found: FormInStream,
  merchant: MerchantOfForm,
): FormAuthorization | undefined {
  const facts = authorizationFacts(found, merchant);
  return facts && currentAuthorization(facts);
}

/** Undefined: the form takes cards. @throws VaultError */
export async function sealedConsent(
  vault: Vault,
  found: FormInStream,
  merchant: MerchantOfForm,
  { bankAccount, authorization, client }: FormSubmission & { readonly client?: FormClient | undefined },
): Promise<Consent | undefined> {
  const facts = authorizationFacts(found, merchant);
  if (!facts || !bankAccount) return undefined;
  const inMerchantsLanguage = merchant.locale.startsWith('fr') ? 'fr' : 'en';
  const given = authorization ?? { version: CURRENT_AUTHORIZATION, language: inMerchantsLanguage };
  const { name, accountNumber, accountType } = bankAccount;
  const personal: ConsentPersonal = {
    name,
    accountNumber: maskedAccountNumber(accountNumber),
    ...(accountType && { accountType }),
    ...client,
  };
  const { version, language } = given;
  return {
    version,
    language,
    text: authorizationText(given, facts),
    personal: await sealProof(vault, found, personal),
  };
}

/** Under the key of the token, else of the account holder, whose erasure destroys it, else of the operation. */
async function sealProof(
  vault: Vault,
  { subject, operationId }: FormInStream,
  proof: ConsentPersonal,
): Promise<Encrypted> {
  if (subject.kind === 'Token') return sealPersonal(vault, subject.token.id, proof);
  const { accountHolderId } = subject.payment;
  if (accountHolderId === undefined) return sealPersonal(vault, operationId, proof);
  try {
    return await sealPersonal(vault, accountHolderId, proof);
  } catch (error) {
    // The holder was erased while the form was open. The debit needs its proof all the same.
    if (!(error instanceof VaultError) || error.code !== 'Destroyed') throw error;
    return sealPersonal(vault, operationId, proof);
  }
}

function authorizationFacts(
  { paymentMethod: { type, currency }, operation }: FormInStream,
  { name: merchantName }: MerchantOfForm,
): AuthorizationFacts | undefined {
  const channel = bankChannel(type);
  if (!channel) return undefined;
  return { channel, merchantName, currency, ...('amount' in operation && { amount: operation.amount }) };
}
