import {
  findMethodOf,
  isBankAccount,
  rejected,
  rejectUnusable,
  type Channel,
  type Merchant,
  type Token,
  type TokenPersonal,
} from '@tillstream/domain';
import type { ProcessorRoute } from '@tillstream/processors';
import type { Vault } from '@tillstream/vault';
import { decodeVaultAccount } from '../stored-cards/bank-account.codec.js';
import { decodeVaultCard, openStoredToken } from '../stored-cards/vault.codec.js';
import { noProcessor, prepareNewPayment, writePaymentRequest } from '../requests/new-payment.js';
import { handleFailureBeforeStored, claimedReference } from '../requests/request.failures.js';
import type { OperationResult, RequestContext, RequestRejection } from '../requests/request.types.js';
import { sendPaymentRequest } from '../requests/request.writer.js';
import type { TokenPaymentRequest } from '../stored-cards/stored-card.types.js';
import { loadOwnToken, tokenDetails, tokenNotFound } from '../stored-cards/token-details.js';
import type { PaymentSecret } from '../attempts/attempt.aggregate.js';
import { billingFields } from '../attempts/billing.details.js';
import { planAttempt, startAttempt } from '../attempts/send-window.js';
import type { Parts } from '../parts.js';

/**
 * Runs a sale or authorization with a stored card or bank account. The token is read once, before the decision. If the
 * merchant removes it while the payment runs, the payment goes on: it was allowed when it was decided. The resolver needs
 * no card after a crash, because it never sends the first operation of a payment again.
 */
export async function payWithToken(
  parts: Parts,
  kind: 'Sale' | 'Auth',
  context: RequestContext,
  request: TokenPaymentRequest,
): Promise<OperationResult> {
  const { merchant } = context;
  const { paymentMethodId, initiator = 'Customer', reason, ...details } = request;
  const start = startAttempt(parts);
  const reference = claimedReference(parts, context, request.referenceId);
  return handleFailureBeforeStored(parts, context, reference, async () => {
    const loaded = await loadOwnToken(parts.tokens, merchant.id, paymentMethodId);
    if (!loaded) {
      return rejected(await unknownTokenRejection(parts, merchant, paymentMethodId));
    }
    const rejection = tokenRejection(kind, loaded.state);
    if (rejection) return rejected(rejection);
    const token = loaded.state;
    const opened = await openPaymentSecret(parts.vault, token);
    if (!opened) return rejected(tokenNotFound);

    const networkTransactionId = initiator === 'Merchant' ? token.networkTransactionId : undefined;
    const channel = channelOf(token);
    const { currency } = token;
    const route = opened.secret.cardToken
      ? tokenProcessorRoute(token)
      : parts.processors.route({ merchantId: merchant.id, channel, currency });
    if (!route) return rejected(noProcessor);
    if (!parts.processors.named(route.processor)) return rejected(tokenProcessorNotConfigured);
    const payment = prepareNewPayment(parts, context);
    const written = await writePaymentRequest(parts, context, payment, {
      ...details,
      kind,
      merchantId: merchant.id,
      currency,
      channel,
      paymentMethod: token.paymentMethod,
      ...(token.accountHolderId !== undefined && { accountHolderId: token.accountHolderId }),
      initiator,
      attemptPlan: planAttempt(start, route, networkTransactionId),
      ...(reason !== undefined && { initiatorReason: reason }),
    });
    const { secret, personal } = opened;
    const facts = tokenDetails(token, personal);
    const { cause } = payment;
    const { startedAt } = start;
    return sendPaymentRequest(parts, written, { merchant, cause, startedAt, secret }, facts);
  });
}

/** Only the processor that issued a token accepts it, and only under the account that verified the card. */
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

/** Distinguishes an unknown id from the id of a terminal or form of the merchant. */
async function unknownTokenRejection(
  { authentication }: Pick<Parts, 'authentication'>,
  merchant: Merchant,
  paymentMethodId: string,
): Promise<RequestRejection> {
  const stored = findMethodOf(merchant, paymentMethodId)
    ? merchant
    : await authentication.readMerchant(merchant.id);
  const method = stored && findMethodOf(stored, paymentMethodId);
  if (!method) return tokenNotFound;
  return {
    code: 'PaymentMethodTypeUnfit',
    message: 'This operation needs a stored card or bank account.',
    details: `received one of type ${method.type}, allowed: Token`,
  };
}

/** Undefined if the keys are destroyed: the token is being removed, or its holder erased. @throws VaultError */
async function openPaymentSecret(
  vault: Vault,
  token: Token,
): Promise<{ readonly secret: PaymentSecret; readonly personal?: TokenPersonal } | undefined> {
  const { kept, personal } = await openStoredToken(vault, token);
  if (kept === undefined) return undefined;
  const billing = billingFields(personal ?? {});
  if (isBankAccount(token)) {
    const bankAccount = decodeVaultAccount(kept, personal?.accountName);
    return { secret: { bankAccount, ...billing }, ...(personal && { personal }) };
  }
  if (personal?.cardExpDate === undefined) return undefined;
  const credential = decodeVaultCard(kept, personal.cardExpDate);
  const card = 'token' in credential ? { cardToken: credential } : { card: credential };
  return { secret: { ...card, ...billing }, personal };
}

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
