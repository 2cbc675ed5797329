import { isBankChannel, type AvsResult, type Cents, type CvvResult } from '@tillstream/domain';
import { BANK_ACCOUNTS_BY_NUMBER, UNKNOWN_ACCOUNT } from '../bank/bank-accounts.table.js';
import type { BankAccount, CardRequest, FollowUpRequest, HostCode } from './acquirer.types.js';
import type { AmountTrigger } from './amounts.table.js';
import type { SandboxCard } from './cards.table.js';
import { HOST_CODE } from './host-codes.table.js';
import type { OperationRow, StoredRequest } from '../ledger/ledger.js';
import { avsResult, cvvResult } from './verification.table.js';

const RIGHT_PIN = '1234';

/** The request is approved if there is an `approvedAmount`: a code alone never moves money. */
export interface HostDecision {
  readonly hostCode: HostCode;
  readonly approvedAmount?: Cents;
  readonly batchClosed?: true;
  readonly avsResult?: AvsResult;
  readonly cvvResult?: CvvResult;
}

/**
 * The issuer's decision, before the effects of special amounts.
 * @param now the service's clock: cards expire by it
 */
export function decideCardRequest(
  request: CardRequest,
  card: SandboxCard | undefined,
  now: () => number,
): HostDecision {
  if (isBankChannel(request.channel)) return { hostCode: HOST_CODE.NotSupported };
  if (!card) return { hostCode: HOST_CODE.InvalidCard };
  if (request.operation === 'Verify' && card.unstorable) return { hostCode: HOST_CODE.NotPermitted };
  if (request.terminalId !== undefined) {
    return card.type === 'INTERAC' && !isInteracAllowed(request)
      ? { hostCode: HOST_CODE.NotPermitted }
      : decideByCard(card, request);
  }
  if (card.only === 'Terminal') return { hostCode: HOST_CODE.InvalidCard };
  const decision = isExpired(request.card?.expDate ?? '', now)
    ? { hostCode: HOST_CODE.CardExpired }
    : decideByCard(card, request);
  return { ...decision, ...verificationResults(card, request) };
}

/** The bank's decision about a sale, before the effects of special amounts. */
export function decideBankSale(
  { amount }: CardRequest,
  { accountNumber }: Pick<BankAccount, 'accountNumber'>,
): HostDecision {
  const account = BANK_ACCOUNTS_BY_NUMBER.get(accountNumber);
  const declines = account ? account.declines : UNKNOWN_ACCOUNT;
  return declines ? { hostCode: declines } : { hostCode: HOST_CODE.Approved, approvedAmount: amount };
}

function verificationResults(
  card: SandboxCard,
  { channel, zipCode, card: given }: CardRequest,
): Pick<HostDecision, 'avsResult' | 'cvvResult'> {
  // A card of a form comes without its CVV only if that was lost over a 3-D Secure challenge.
  const isLost = channel === 'CardNotPresent' && given !== undefined && given.cvv === undefined;
  const cvv = isLost ? 'P' : cvvResult(card, given?.cvv);
  // A form always has a ZIP or postal code. A payment with a stored card may have none; then there is no AVS result.
  const hasAvs = channel !== 'Token' || zipCode !== undefined;
  return { ...(hasAvs && { avsResult: avsResult(card, zipCode) }), ...(cvv && { cvvResult: cvv }) };
}

/** A wrong PIN declines the request, unless the terminal may not take the card: then it asks for no PIN. */
export function applyPin(decision: HostDecision, pin: string | undefined): HostDecision {
  const isWrong = pin !== undefined && pin !== RIGHT_PIN && decision.hostCode !== HOST_CODE.NotPermitted;
  return isWrong ? { hostCode: HOST_CODE.IncorrectPin } : decision;
}

/** Canadian PIN debit: sale and refund in CAD, no authorization. */
function isInteracAllowed(request: CardRequest): boolean {
  return request.operation !== 'Authorize' && request.currency === 'CAD';
}

function decideByCard(card: SandboxCard, request: CardRequest): HostDecision {
  return card.declines
    ? { hostCode: card.declines }
    : {
        hostCode: HOST_CODE.Approved,
        approvedAmount: request.operation === 'Verify' ? 0 : request.amount,
      };
}

/** MMYY, valid to the end of its month, UTC. */
function isExpired(expDate: string, now: () => number): boolean {
  const [, month, year] = /^(\d\d)(\d\d)$/.exec(expDate) ?? [];
  if (month === undefined || year === undefined) return true;
  return now() >= Date.UTC(2000 + Number(year), Number(month), 1);
}

/**
 * The acquirer checks its own ledger: captures and releases never exceed the authorized amount, refunds and voids never the
 * captured amount.
 */
export function decideFollowUp(
  request: Omit<FollowUpRequest, 'key'>,
  original: OperationRow | undefined,
  use: { readonly used: Cents; readonly undone: Cents },
): HostDecision {
  const { operation } = request;
  if (isBankChannel(request.channel) && operation !== 'Refund' && operation !== 'Reverse') {
    return { hostCode: HOST_CODE.NotSupported };
  }
  if (!original || !isApprovedOriginal(request, original)) return { hostCode: HOST_CODE.RecordNotFound };
  const approved = original.answer?.approvedAmount ?? 0;
  if (approved > 0 && use.undone >= approved) return { hostCode: HOST_CODE.AlreadyVoided };
  if (operation === 'Void' && original.batchClosed) {
    return { hostCode: HOST_CODE.RecordNotFound, batchClosed: true };
  }
  const isOpen = request.amount >= 1 && request.amount <= approved - use.used;
  return isOpen
    ? { hostCode: HOST_CODE.Approved, approvedAmount: request.amount }
    : { hostCode: HOST_CODE.InvalidAmount };
}

function isApprovedOriginal(
  { merchantId, currency, operation, channel }: Omit<FollowUpRequest, 'key'>,
  { state, request, answer }: OperationRow,
): boolean {
  return (
    state === 'Done' &&
    answer?.outcome === 'Approved' &&
    request?.merchantId === merchantId &&
    request.currency === currency &&
    isBankChannel(request.channel) === isBankChannel(channel) &&
    canFollow(operation, request)
  );
}

/** Void and reverse also undo an unreferenced refund, because a late one must be taken back. */
function canFollow(operation: FollowUpRequest['operation'], original: StoredRequest): boolean {
  switch (operation) {
    case 'Capture':
      return original.operation === 'Authorize';
    case 'Refund':
      return original.operation === 'Sale' || original.operation === 'Capture';
    case 'Void':
    case 'Reverse':
      return ['Sale', 'Capture', 'Authorize', 'UnreferencedRefund'].includes(original.operation);
  }
}

/** Applies the effect of a special amount to an approval. Effects on the response's delivery do not change the decision. */
export function applyAmount(
  decision: HostDecision,
  { effect, n }: AmountTrigger,
  operation: StoredRequest['operation'],
): HostDecision {
  const { approvedAmount = 0, ...checks } = decision;
  if (effect === 'GatewayCode') return { ...checks, hostCode: `G${n}` };
  const hostCode = String(n).padStart(2, '0');
  if (effect !== 'IsoCode' || hostCode === HOST_CODE.Approved) return decision;
  if (hostCode !== HOST_CODE.PartialApproved) return { ...checks, hostCode };
  return operation === 'UnreferencedRefund'
    ? { ...checks, hostCode: HOST_CODE.Declined }
    : { ...checks, hostCode, approvedAmount: Math.floor(approvedAmount / 2) };
}
