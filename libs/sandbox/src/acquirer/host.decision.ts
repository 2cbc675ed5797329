import type { AvsResult, Cents, CvvResult } from '@tillstream/domain';
import type { CardRequest, FollowUpRequest, HostCode } from './acquirer.types.js';
import type { AmountTrigger } from './amounts.table.js';
import type { SandboxCard } from './cards.table.js';
import { gatewayCode, HOST_CODE, isoCode } from './host-codes.table.js';
import type { OperationRow, StoredRequest } from '../ledger/ledger.js';
import { avsResult, cvvResult } from './verification.table.js';

const RIGHT_PIN = '1234';

/** What is decided of a request. Approved means an `approvedAmount`: no code alone moves money. */
export interface HostDecision {
  readonly hostCode: HostCode;
  readonly approvedAmount?: Cents;
  readonly batchClosed?: true;
  readonly avsResult?: AvsResult;
  readonly cvvResult?: CvvResult;
}

/** The issuer's word on a card, amounts aside. `now` is the service's clock: cards expire by it. */
export function decideCardRequest(
  request: CardRequest,
  card: SandboxCard | undefined,
  now: () => number,
): HostDecision {
  if (request.channel === 'Ach' || request.channel === 'Eft') return { hostCode: HOST_CODE.NotSupported };
  if (!card) return { hostCode: HOST_CODE.InvalidCard };
  if (request.operation === 'Verify' && card.unstorable) return { hostCode: HOST_CODE.NotPermitted };
  if (request.terminalId !== undefined) {
    return card.type === 'INTERAC' && !isInteracAllowed(request)
      ? { hostCode: HOST_CODE.NotPermitted }
      : decideByCard(card, request);
  }
  if (card.only === 'Terminal') return { hostCode: HOST_CODE.InvalidCard };
  const cvv = cvvResult(card, request.card?.cvv);
  // A form always asks for a ZIP or postal code; of a stored card it may be unknown, and there is nothing to compare.
  const asked = request.channel !== 'Token' || request.zipCode !== undefined;
  const said = {
    ...(asked && { avsResult: avsResult(card, request.zipCode) }),
    ...(cvv && { cvvResult: cvv }),
  };
  if (isExpired(request.card?.expDate ?? '', now)) return { hostCode: HOST_CODE.CardExpired, ...said };
  return { ...decideByCard(card, request), ...said };
}

/** What a terminal makes of a PIN before the issuer has a say: a card that it may not take is not asked for one. */
export function applyPin(verdict: HostDecision, pin: string | undefined): HostDecision {
  const wrong = pin !== undefined && pin !== RIGHT_PIN && verdict.hostCode !== HOST_CODE.NotPermitted;
  return wrong ? { hostCode: HOST_CODE.IncorrectPin } : verdict;
}

/** Canadian PIN debit: sale and refund, in CAD (there is no authorization to capture later). */
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

/** MMYY, good to the end of its month, UTC. */
function isExpired(expDate: string, now: () => number): boolean {
  const [, month, year] = /^(\d\d)(\d\d)$/.exec(expDate) ?? [];
  if (month === undefined || year === undefined) return true;
  return now() >= Date.UTC(2000 + Number(year), Number(month), 1);
}

/**
 * The acquirer's own look at what is open, whatever the service believes: captures and releases never exceed what was
 * authorized, refunds and voids never what was captured.
 */
export function decideFollowUp(
  request: Omit<FollowUpRequest, 'key'>,
  original: OperationRow | undefined,
  use: { readonly used: Cents; readonly undone: Cents },
): HostDecision {
  const about = original?.request;
  const approved = original?.answer?.approvedAmount ?? 0;
  if (
    original?.state !== 'Done' ||
    about?.merchantId !== request.merchantId ||
    about.currency !== request.currency ||
    original.answer?.outcome !== 'Approved' ||
    !canFollow(request.operation, about)
  ) {
    return { hostCode: HOST_CODE.RecordNotFound };
  }
  if (approved > 0 && use.undone >= approved) return { hostCode: HOST_CODE.AlreadyVoided };
  if (request.operation === 'Void' && original.batchClosed) {
    return { hostCode: HOST_CODE.RecordNotFound, batchClosed: true };
  }
  if (request.amount < 1 || request.amount > approved - use.used)
    return { hostCode: HOST_CODE.InvalidAmount };
  return { hostCode: HOST_CODE.Approved, approvedAmount: request.amount };
}

/** Void and reverse undo a credit too: a late unreferenced refund has to be taken back. */
function canFollow(operation: FollowUpRequest['operation'], about: StoredRequest): boolean {
  switch (operation) {
    case 'Capture':
      return about.operation === 'Authorize';
    case 'Refund':
      return about.operation === 'Sale' || about.operation === 'Capture';
    case 'Void':
    case 'Reverse':
      return ['Sale', 'Capture', 'Authorize', 'UnreferencedRefund'].includes(about.operation);
  }
}

/** An approving verdict, as the amount has it. Effects on what is heard of it leave the verdict as it is. */
export function applyAmount(
  verdict: HostDecision,
  trigger: AmountTrigger,
  operation: StoredRequest['operation'],
): HostDecision {
  switch (trigger.effect) {
    case 'IsoCode': {
      const { approvedAmount = 0, ...said } = verdict;
      const hostCode = isoCode(trigger.n);
      if (hostCode === HOST_CODE.Approved) return verdict;
      if (hostCode !== HOST_CODE.PartialApproved) return { ...said, hostCode };
      return operation === 'UnreferencedRefund'
        ? { ...said, hostCode: HOST_CODE.Declined }
        : { ...said, hostCode, approvedAmount: Math.floor(approvedAmount / 2) };
    }
    case 'GatewayCode': {
      const { approvedAmount: _none, ...said } = verdict;
      return { ...said, hostCode: gatewayCode(trigger.n) };
    }
    case 'TerminalEnds':
    case 'AnswerLost':
    case 'FirstSendLost':
    case 'InquiriesFail':
    case 'ConnectionRefused':
    case 'Slow':
    case 'BreaksItsWord':
    case 'ClosesBatch':
      return verdict;
  }
}
