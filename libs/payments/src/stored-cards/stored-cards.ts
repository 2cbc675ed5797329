import { tokenizeAtTerminal } from '../terminal-tokenization/terminal-tokenization.js';
import type { StoredCards } from './stored-card.types.js';
import { removeStoredCard } from './token-removal.js';
import { updateStoredCard, type TokenUpdateParts } from './token-update.js';

export function createStoredCards(parts: TokenUpdateParts): StoredCards {
  return {
    storeFromTerminal: (context, request) => tokenizeAtTerminal(parts, context, request),
    update: (context, tokenId, change) => updateStoredCard(parts, context, tokenId, change),
    remove: (context, tokenId) => removeStoredCard(parts, context, tokenId),
    find: (merchantId, transactionId) => parts.facts.find(merchantId, transactionId),
    detailsOf: (payment) => parts.facts.ofPayment(payment),
  };
}
