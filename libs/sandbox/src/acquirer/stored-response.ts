import type { CardRequest, HostCredential, ResponseWithCredential } from './acquirer.types.js';
import { cardById, cardId, TERMINAL_CARD_EXPIRY, type SandboxCard } from './cards.table.js';
import type { OperationRow, StoredCard } from '../ledger/ledger.js';

/** The ledger stores the id of a verified card, and not its number. */
export function toStoredCard(request: CardRequest, card: SandboxCard): StoredCard {
  const onTerminal = request.terminalId !== undefined;
  return { id: cardId(card), expDate: onTerminal ? TERMINAL_CARD_EXPIRY : (request.card?.expDate ?? '') };
}

/** The response of a key in state `Done`. Makes the credential from the stored id and the table of cards. */
export function storedResponse(row: OperationRow): ResponseWithCredential {
  if (!row.answer) throw new Error(`sandbox ledger: ${row.key} is done and has no answer`);
  return row.storedCard
    ? { answer: row.answer, credential: hostCredential(row.key, row.storedCard) }
    : { answer: row.answer };
}

function hostCredential(key: string, storedCard: StoredCard): HostCredential {
  const card = cardById(storedCard.id);
  if (!card) throw new Error(`sandbox ledger: ${key} verified a card that is in no table`);
  return { number: card.number, expDate: storedCard.expDate };
}
