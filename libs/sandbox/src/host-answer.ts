import type { HostAnswer, HostCard } from './acquirer.vocabulary.js';
import { APPLICATION_IDS, maskedNumber, type SandboxCard } from './cards.table.js';
import { BATCH_CLOSED_TEXT, hostText } from './host-codes.table.js';
import type { StoredRequest } from './ledger.js';
import type { Verdict } from './verdict.js';

/** Nothing remarkable was found by the chip and the terminal. */
const CLEAN_TVR = '0000008000';

/** The whole answer to a request. Its references follow from the key: a repeat can't differ. */
export function hostAnswer(
  key: string,
  request: StoredRequest,
  verdict: Verdict,
  card: SandboxCard | undefined,
): HostAnswer {
  const approved = verdict.approvedAmount !== undefined;
  const terminalId = 'terminalId' in request ? request.terminalId : undefined;
  return {
    outcome: approved ? 'Approved' : verdict.batchClosed ? 'BatchClosed' : 'Declined',
    approvedAmount: verdict.approvedAmount ?? 0,
    hostCode: verdict.hostCode,
    hostText: verdict.batchClosed ? BATCH_CLOSED_TEXT : hostText(verdict.hostCode),
    gatewayTransactionId: `sbx_${key.replace(/^trx_/, '')}`,
    ...(approved && { authCode: digits(key, 6) }),
    ...(approved && card && { networkTransactionId: digits(key, 15) }),
    ...(terminalId !== undefined && { terminalId }),
    ...(card && cardFacts(request, card, terminalId !== undefined)),
    ...(verdict.avsResult && { avsResult: verdict.avsResult }),
    ...(verdict.cvvResult && { cvvResult: verdict.cvvResult }),
  };
}

function cardFacts(
  request: StoredRequest,
  card: SandboxCard,
  onTerminal: boolean,
): Pick<HostAnswer, 'card' | 'entryMode'> {
  const aid = onTerminal ? APPLICATION_IDS[card.type] : undefined;
  const hostCard: HostCard = {
    cardType: card.type,
    maskedNumber: maskedNumber(card.number),
    ...(card.funding && { fundingType: card.funding }),
    ...(aid && { aid, tvr: CLEAN_TVR }),
  };
  if (!onTerminal) return { card: hostCard, entryMode: request.channel === 'Token' ? 'Stored' : 'Form' };
  return { card: hostCard, entryMode: aid ? 'Chip' : card.type === 'CASH' ? 'Manual' : 'Swipe' };
}

/** FNV-1a, drawn out to as many digits as wanted. */
function digits(key: string, count: number): string {
  let text = '';
  let hash = 0x811c9dc5 ^ count;
  while (text.length < count) {
    for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
    text += String((hash >>> 0) % 1_000_000).padStart(6, '0');
  }
  return text.slice(0, count);
}
