import type { EntryMode } from '@tillstream/domain';
import type { CardRequest, HostCode, HostResponse, ResponseWithCredential } from './acquirer.types.js';
import {
  APPLICATION_IDS,
  cardId,
  CARDS_BY_ID,
  maskedNumber,
  TERMINAL_CARD_EXPIRY,
  type SandboxCard,
} from './cards.table.js';
import { BATCH_CLOSED_TEXT, HOST_CODE, hostText } from './host-codes.table.js';
import type { OperationRow, StoredCard, StoredRequest } from '../ledger/ledger.js';
import type { HostDecision } from './host.decision.js';

/** Terminal verification results without a finding. */
const CLEAN_TVR = '0000008000';

export interface PresentedCard {
  readonly card?: SandboxCard | undefined;
  /** How the customer presented the card at a terminal; left out: in the terminal's preferred way. */
  readonly entryMode?: EntryMode | undefined;
}

/** Makes the response to a request. Its references follow from the key, so that a repeat gets the same. */
export function hostResponse(
  key: string,
  request: StoredRequest,
  decision: HostDecision,
  { card, entryMode }: PresentedCard = {},
): HostResponse {
  const { approvedAmount, batchClosed, ...facts } = decision;
  const approved = approvedAmount !== undefined;
  return {
    outcome: approved ? 'Approved' : batchClosed ? 'BatchClosed' : 'Declined',
    approvedAmount: approvedAmount ?? 0,
    ...facts,
    hostText: batchClosed ? BATCH_CLOSED_TEXT : hostText(decision.hostCode),
    gatewayTransactionId: gatewayTransactionId(key),
    ...(approved && { authCode: keyDigits(key, 6) }),
    ...(approved && card && { networkTransactionId: keyDigits(key, 15) }),
    ...(request.terminalId !== undefined && { terminalId: request.terminalId }),
    ...(card && cardFacts(request, card, entryMode)),
  };
}

/** The response to a key that never executes under this request. */
export function refusedKeyResponse(
  key: string,
  request: StoredRequest,
  hostCode: HostCode,
): ResponseWithCredential {
  return { answer: hostResponse(key, request, { hostCode }) };
}

/** The response of a terminal that ended a request before it reached the issuer. */
export function terminalEndResponse(
  key: string,
  terminalId: string,
  outcome: 'CustomerCancelled' | 'TookTooLong',
): HostResponse {
  const hostCode = HOST_CODE[outcome];
  return {
    outcome,
    approvedAmount: 0,
    hostCode,
    hostText: hostText(hostCode),
    gatewayTransactionId: gatewayTransactionId(key),
    terminalId,
  };
}

/** The ledger stores the id of a verified card, and not its number. */
export function toStoredCard(request: CardRequest, card: SandboxCard): StoredCard {
  const onTerminal = request.terminalId !== undefined;
  return { id: cardId(card), expDate: onTerminal ? TERMINAL_CARD_EXPIRY : (request.card?.expDate ?? '') };
}

/** The response of a key in state `Done`. Makes the credential from the stored id and the table of cards. */
export function storedResponse({ key, answer, storedCard }: OperationRow): ResponseWithCredential {
  if (!answer) throw new Error(`sandbox ledger: ${key} is done and has no answer`);
  if (!storedCard) return { answer };
  const card = CARDS_BY_ID.get(storedCard.id);
  if (!card) throw new Error(`sandbox ledger: ${key} verified a card that is in no table`);
  return { answer, credential: { number: card.number, expDate: storedCard.expDate } };
}

function gatewayTransactionId(key: string): string {
  return `sbx_${key.replace(/^trx_/, '')}`;
}

function cardFacts(
  { terminalId, channel }: StoredRequest,
  { type, number, funding }: SandboxCard,
  presented: EntryMode | undefined,
): Pick<HostResponse, 'card' | 'entryMode'> {
  const onTerminal = terminalId !== undefined;
  // A magnetic stripe has no application id.
  const aid = onTerminal && presented !== 'Swipe' ? APPLICATION_IDS[type] : undefined;
  const preferred = aid ? 'Chip' : type === 'CASH' ? 'Manual' : 'Swipe';
  return {
    card: {
      cardType: type,
      maskedNumber: maskedNumber(number),
      ...(funding && { fundingType: funding }),
      ...(aid && { aid, tvr: CLEAN_TVR }),
    },
    entryMode: onTerminal ? (presented ?? preferred) : channel === 'Token' ? 'Stored' : 'Form',
  };
}

/** Digits that follow from the key, by FNV-1a. */
function keyDigits(key: string, count: number): string {
  let text = '';
  let hash = 0x811c9dc5 ^ count;
  while (text.length < count) {
    for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
    text += String((hash >>> 0) % 1_000_000).padStart(6, '0');
  }
  return text.slice(0, count);
}
