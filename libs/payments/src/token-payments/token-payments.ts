import {
  isBankAccount,
  rejectUnusable,
  type BillingContact,
  type Channel,
  type Merchant,
  type Token,
  type TokenPersonal,
} from '@tillstream/domain';
import type { BankAccountDetails, ProcessorRoute } from '@tillstream/processors';
import type { Vault } from '@tillstream/vault';
import { startAttempt, type PaymentSecret } from '../attempts/index.js';
import { decodeVaultCard } from '../stored-cards/vault-card.codec.js';
import {
  prepareNewPayment,
  noProcessor,
  writePaymentRequest,
  type TerminalPaymentParts,
} from '../terminal-payments/terminal-payments.js';
import { referenceCheck, handleFailureBeforeStored } from '../requests/request.failures.js';
import type { OperationResult, RequestContext, RequestRejection } from '../requests/request.types.js';
import { sendPaymentRequest } from '../requests/request.writer.js';
import { openStoredToken, parseSecretJson } from '../stored-cards/personal-data.codec.js';
import type { TokenPaymentRequest } from '../stored-cards/stored-card.types.js';
import { tokenDetails, loadOwnToken } from '../stored-cards/token-details.js';

export interface TokenPaymentParts extends TerminalPaymentParts {
  readonly vault: Vault;
}

/**
 * Sale or authorization with a stored card or bank account. The token is looked at once, when it is decided; one that is
 * removed while its sale is under way does not stop it: the merchant was entitled to it then, and the card in memory is
 * the one that was decided on. Whoever takes over after a crash needs no card: what opens a payment is never sent twice.
 */
export async function payWithToken(
  parts: TokenPaymentParts,
  kind: 'Sale' | 'Auth',
  context: RequestContext,
  request: TokenPaymentRequest,
): Promise<OperationResult> {
  const { merchant } = context;
  const { paymentMethodId, initiator = 'Customer', reason, ...asked } = request;
  const start = startAttempt(parts);
  return handleFailureBeforeStored(parts, context, request, referenceCheck(parts, context), async () => {
    const loaded = await loadOwnToken(parts.tokens, merchant.id, paymentMethodId);
    const unfit = loaded
      ? tokenRejection(kind, loaded.state)
      : await unknownTokenRejection(parts, merchant, paymentMethodId);
    if (!loaded || unfit) return { kind: 'Rejected', rejection: unfit ?? tokenNotFound };
    const token = loaded.state;
    const opened = await openPaymentSecret(parts.vault, token);
    if (!opened) return { kind: 'Rejected', rejection: tokenNotFound };

    const network = initiator === 'Merchant' ? token.networkTransactionId : undefined;
    const channel = channelOf(token);
    const { currency } = token;
    const route = opened.secret.cardToken
      ? tokenProcessorRoute(token)
      : parts.processors.route({ merchantId: merchant.id, channel, currency });
    if (!route) return { kind: 'Rejected', rejection: noProcessor };
    if (!parts.processors.named(route.processor))
      return { kind: 'Rejected', rejection: tokenProcessorNotConfigured };
    const opening = prepareNewPayment(parts, context, route, start, network);
    const written = await writePaymentRequest(parts, context, opening, {
      ...asked,
      kind,
      merchantId: merchant.id,
      currency,
      channel,
      paymentMethod: token.paymentMethod,
      ...(token.accountHolderId !== undefined && { accountHolderId: token.accountHolderId }),
      initiator,
      ...(reason !== undefined && { initiatorReason: reason }),
    });
    const { secret, personal } = opened;
    const facts = tokenDetails(token, personal);
    const { cause, startedAt } = opening;
    return sendPaymentRequest(parts, written, { merchant, cause, startedAt, secret }, facts);
  });
}

/** A processor's token means something to it alone, and under the account that its card was checked with. */
function tokenProcessorRoute({ operations }: Token): ProcessorRoute | undefined {
  const attempt = operations[0]?.attempt;
  return attempt && { processor: attempt.processor, account: attempt.processorAccount };
}

function channelOf(token: Token): Channel {
  if (!isBankAccount(token)) return 'Token';
  return token.channel === 'Eft' ? 'Eft' : 'Ach';
}

/** In the order of `docs/spec/errors.md#which-answer-wins`: 404, 2010, 2013, 409. */
function tokenRejection(kind: 'Sale' | 'Auth', token: Token): RequestRejection | undefined {
  const unusable = rejectUnusable(token);
  if (unusable?.code === 'TokenNotFound') return tokenNotFound;
  if (kind === 'Auth' && isBankAccount(token)) return bankTokenOnAuth;
  if (kind === 'Auth' && token.paymentMethod.cardType === 'INTERAC') return interacOnAuth;
  return unusable && { code: 'TokenNotFinished', message: unusable.message };
}

/** The id of a terminal or form is known, and of the wrong kind. */
async function unknownTokenRejection(
  { readMerchant }: TokenPaymentParts,
  merchant: Merchant,
  paymentMethodId: string,
): Promise<RequestRejection> {
  const isNamed = ({ id }: { readonly id: string }): boolean => id === paymentMethodId;
  const method =
    merchant.paymentMethods.find(isNamed) ?? (await readMerchant(merchant.id))?.paymentMethods.find(isNamed);
  if (!method) return tokenNotFound;
  return {
    code: 'PaymentMethodTypeUnfit',
    message: 'This operation needs a stored card or bank account.',
    details: `received one of type ${method.type}, allowed: Token`,
  };
}

/** Undefined where the keys are gone already: a removal or erasure is under way. @throws VaultError */
async function openPaymentSecret(
  vault: Vault,
  token: Token,
): Promise<{ readonly secret: PaymentSecret; readonly personal?: TokenPersonal } | undefined> {
  const { kept, personal } = await openStoredToken(vault, token);
  if (kept === undefined) return undefined;
  const more = { ...billingOf(personal?.billingContact) };
  if (isBankAccount(token)) {
    // What was kept of a bank account is its details, as JSON.
    const bankAccount = parseSecretJson(kept) as BankAccountDetails;
    return { secret: { bankAccount, ...more }, ...(personal && { personal }) };
  }
  if (personal?.cardExpDate === undefined) return undefined;
  const credential = decodeVaultCard(kept, personal.cardExpDate);
  const given = 'token' in credential ? { cardToken: credential } : { card: credential };
  return { secret: { ...given, ...more }, personal };
}

function billingOf(contact: BillingContact | undefined): Pick<PaymentSecret, 'billing'> {
  if (!contact) return {};
  const { zipCode, address, countryCode } = contact;
  return {
    billing: {
      ...(zipCode !== undefined && { zipCode }),
      ...(address !== undefined && { address }),
      ...(countryCode !== undefined && { countryCode }),
    },
  };
}

const tokenNotFound = { code: 'TokenNotFound', message: 'There is no such token.' } as const;
const bankTokenOnAuth = {
  code: 'PaymentMethodTypeUnfit',
  message: 'A bank account can not be authorized.',
  details: 'received the token of a bank account, allowed: that of a card',
} as const;
const tokenProcessorNotConfigured = {
  code: 'NoProcessor',
  message: 'The processor that keeps this card is not configured now.',
} as const;
const interacOnAuth = {
  code: 'OperationNotEnabled',
  message: 'An INTERAC card is charged at once: it can not be authorized.',
} as const;
