import { isBankChannel, type EntryMode } from '@tillstream/domain';
import type { BankAccount, HostResponse, ResponseWithCredential } from './acquirer.types.js';
import { APPLICATION_IDS, CARDS_BY_ID, maskedNumber, type SandboxCard } from './cards.table.js';
import { HOST_CODE, hostText } from './host-codes.table.js';
import type { OperationRow, StoredRequest } from '../ledger/ledger.js';
import type { HostDecision } from './host.decision.js';

/** Terminal verification results without a finding. */
const CLEAN_TVR = '0000008000';

export interface PresentedCard {
  readonly card?: SandboxCard | undefined;
  readonly bankAccount?: BankAccount | undefined;
  /** How the customer presented the card at a terminal; left out: in the terminal's preferred way. */
  readonly entryMode?: EntryMode | undefined;
}

/** Makes the response to a request. Its references follow from the key, so that a repeat gets the same. */
export function hostResponse(
  key: string,
  request: StoredRequest,
  decision: HostDecision,
  { card, entryMode, bankAccount }: PresentedCard = {},
): HostResponse {
  const { approvedAmount, batchClosed, ...facts } = decision;
  const approved = approvedAmount !== undefined;
  return {
    outcome: approved ? 'Approved' : batchClosed ? 'BatchClosed' : 'Declined',
    approvedAmount: approvedAmount ?? 0,
    ...facts,
    hostText: batchClosed ? 'BATCH CLOSED, REFUND INSTEAD' : hostText(decision.hostCode),
    gatewayTransactionId: gatewayTransactionId(key),
    ...(approved && !isBankChannel(request.channel) && { authCode: keyDigits(key, 6) }),
    ...(approved && card && { networkTransactionId: keyDigits(key, 15) }),
    ...(request.terminalId !== undefined && { terminalId: request.terminalId }),
    ...(card && cardFacts(request, card, entryMode)),
    ...(bankAccount && { bankAccount: bankAccountFacts(bankAccount) }),
  };
}

/** The response to a key while the bank has no answer yet. `answer`: the bank's later one. */
export function submittedResponse({ gatewayTransactionId, bankAccount }: HostResponse): HostResponse {
  return {
    outcome: 'Submitted',
    approvedAmount: 0,
    hostCode: HOST_CODE.Submitted,
    hostText: hostText(HOST_CODE.Submitted),
    gatewayTransactionId,
    ...(bankAccount && { bankAccount }),
  };
}

/** The response of a key in state `Done` or `Submitted`. Makes the credential from the stored id and the table of cards. */
export function storedResponse({ key, state, answer, storedCard }: OperationRow): ResponseWithCredential {
  if (!answer) throw new Error(`sandbox ledger: ${key} is done and has no answer`);
  if (state === 'Submitted') return { answer: submittedResponse(answer) };
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

function bankAccountFacts({
  accountNumber,
  accountType,
}: BankAccount): NonNullable<HostResponse['bankAccount']> {
  return { maskedNumber: maskedNumber(accountNumber), ...(accountType && { accountType }) };
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
