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
import { startAttempt, type Secret } from './attempts/index.js';
import { credentialOf } from './kept.card.js';
import { beginOpening, noProcessor, requestOpening, type OpeningParts } from './opening.js';
import { claimsOf, orNotStored } from './request.failures.js';
import type { OperationResult, RequestContext, RequestRefusal } from './request.types.js';
import { sendPayment } from './requesting.js';
import { openToken, parsedSecret } from './sealed.personal.js';
import type { TokenPaymentRequest } from './stored-card.types.js';
import { factsOf, loadOwnToken } from './token.facts.js';

export interface TokenPaymentParts extends OpeningParts {
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
  return orNotStored(parts, context, request, claimsOf(parts, context), async () => {
    const loaded = await loadOwnToken(parts.tokens, merchant.id, paymentMethodId);
    const unfit = loaded ? unfitFor(kind, loaded.state) : await noToken(parts, merchant, paymentMethodId);
    if (!loaded || unfit) return { kind: 'Refused', refusal: unfit ?? tokenNotFound };
    const token = loaded.state;
    const opened = await secretOf(parts.vault, token);
    if (!opened) return { kind: 'Refused', refusal: tokenNotFound };

    const network = initiator === 'Merchant' ? token.networkTransactionId : undefined;
    const channel = channelOf(token);
    const { currency } = token;
    const route = opened.secret.cardToken
      ? giverOf(token)
      : parts.processors.route({ merchantId: merchant.id, channel, currency });
    if (!route) return { kind: 'Refused', refusal: noProcessor };
    if (!parts.processors.named(route.processor)) return { kind: 'Refused', refusal: giverAway };
    const opening = beginOpening(parts, context, route, start, network);
    const written = await requestOpening(parts, context, opening, {
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
    const facts = factsOf(token, personal);
    const { cause, startedAt } = opening;
    return sendPayment(parts, written, { merchant, cause, startedAt, secret }, facts);
  });
}

/** A processor's token means something to it alone, and under the account that its card was checked with. */
function giverOf({ operations }: Token): ProcessorRoute | undefined {
  const attempt = operations[0]?.attempt;
  return attempt && { processor: attempt.processor, account: attempt.processorAccount };
}

function channelOf(token: Token): Channel {
  if (!isBankAccount(token)) return 'Token';
  return token.channel === 'Eft' ? 'Eft' : 'Ach';
}

/** In the order of `docs/spec/errors.md#which-answer-wins`: 404, 2010, 2013, 409. */
function unfitFor(kind: 'Sale' | 'Auth', token: Token): RequestRefusal | undefined {
  const unusable = rejectUnusable(token);
  if (unusable?.code === 'TokenNotFound') return tokenNotFound;
  if (kind === 'Auth' && isBankAccount(token)) return bankTokenOnAuth;
  if (kind === 'Auth' && token.paymentMethod.cardType === 'INTERAC') return interacOnAuth;
  return unusable && { code: 'TokenNotFinished', message: unusable.message };
}

/** The id of a terminal or form is known, and of the wrong kind. */
async function noToken(
  { freshMerchant }: TokenPaymentParts,
  merchant: Merchant,
  paymentMethodId: string,
): Promise<RequestRefusal> {
  const isNamed = ({ id }: { readonly id: string }): boolean => id === paymentMethodId;
  const method =
    merchant.paymentMethods.find(isNamed) ?? (await freshMerchant(merchant.id))?.paymentMethods.find(isNamed);
  if (!method) return tokenNotFound;
  return {
    code: 'PaymentMethodTypeUnfit',
    message: 'This operation needs a stored card or bank account.',
    details: `received one of type ${method.type}, allowed: Token`,
  };
}

/** Undefined where the keys are gone already: a removal or erasure is under way. @throws VaultError */
async function secretOf(
  vault: Vault,
  token: Token,
): Promise<{ readonly secret: Secret; readonly personal?: TokenPersonal } | undefined> {
  const { kept, personal } = await openToken(vault, token);
  if (kept === undefined) return undefined;
  const more = { ...billingOf(personal?.billingContact) };
  if (isBankAccount(token)) {
    // What was kept of a bank account is its details, as JSON.
    const bankAccount = parsedSecret(kept) as BankAccountDetails;
    return { secret: { bankAccount, ...more }, ...(personal && { personal }) };
  }
  if (personal?.cardExpDate === undefined) return undefined;
  const credential = credentialOf(kept, personal.cardExpDate);
  const given = 'token' in credential ? { cardToken: credential } : { card: credential };
  return { secret: { ...given, ...more }, personal };
}

function billingOf(contact: BillingContact | undefined): Pick<Secret, 'billing'> {
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
const giverAway = {
  code: 'NoProcessor',
  message: 'The processor that keeps this card is not configured now.',
} as const;
const interacOnAuth = {
  code: 'OperationNotEnabled',
  message: 'An INTERAC card is charged at once: it can not be authorized.',
} as const;
