import type { EntryMode } from '@tillstream/domain';
import type { HostResponse, HostCard } from './acquirer.types.js';
import { APPLICATION_IDS, maskedNumber, type SandboxCard } from './cards.table.js';
import { BATCH_CLOSED_TEXT, HOST_CODE, hostText } from './host-codes.table.js';
import type { StoredRequest } from '../ledger/ledger.js';
import type { HostDecision } from './host.decision.js';

/** Terminal verification results without a finding. */
const CLEAN_TVR = '0000008000';

/**
 * Makes the response to a request. Its references follow from the key, so that a repeat gets the same.
 * @param entryMode how the customer presented the card; left out: the terminal's preferred way
 */
export function hostResponse(
  key: string,
  request: StoredRequest,
  decision: HostDecision,
  card: SandboxCard | undefined,
  entryMode?: EntryMode,
): HostResponse {
  const approved = decision.approvedAmount !== undefined;
  const terminalId = 'terminalId' in request ? request.terminalId : undefined;
  return {
    outcome: approved ? 'Approved' : decision.batchClosed ? 'BatchClosed' : 'Declined',
    approvedAmount: decision.approvedAmount ?? 0,
    hostCode: decision.hostCode,
    hostText: decision.batchClosed ? BATCH_CLOSED_TEXT : hostText(decision.hostCode),
    gatewayTransactionId: gatewayTransactionId(key),
    ...(approved && { authCode: keyDigits(key, 6) }),
    ...(approved && card && { networkTransactionId: keyDigits(key, 15) }),
    ...(terminalId !== undefined && { terminalId }),
    ...(card && cardFacts(request, card, terminalId !== undefined, entryMode)),
    ...(decision.avsResult && { avsResult: decision.avsResult }),
    ...(decision.cvvResult && { cvvResult: decision.cvvResult }),
  };
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

function gatewayTransactionId(key: string): string {
  return `sbx_${key.replace(/^trx_/, '')}`;
}

function cardFacts(
  request: StoredRequest,
  card: SandboxCard,
  onTerminal: boolean,
  presented: EntryMode | undefined,
): Pick<HostResponse, 'card' | 'entryMode'> {
  // A magnetic stripe has no application id.
  const aid = onTerminal && presented !== 'Swipe' ? APPLICATION_IDS[card.type] : undefined;
  const hostCard: HostCard = {
    cardType: card.type,
    maskedNumber: maskedNumber(card.number),
    ...(card.funding && { fundingType: card.funding }),
    ...(aid && { aid, tvr: CLEAN_TVR }),
  };
  if (!onTerminal) return { card: hostCard, entryMode: request.channel === 'Token' ? 'Stored' : 'Form' };
  if (presented) return { card: hostCard, entryMode: presented };
  return { card: hostCard, entryMode: aid ? 'Chip' : card.type === 'CASH' ? 'Manual' : 'Swipe' };
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
