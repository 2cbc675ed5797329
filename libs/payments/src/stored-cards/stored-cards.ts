import type { RequestContext } from '../requests/request.types.js';
import type { StoreCardRequest, StoredCards, TokenUpdateRequest } from './stored-card.types.js';
import { tokenizeAtTerminal } from '../terminal-tokenization/terminal-tokenization.js';
import { removeStoredCard, updateStoredCard, type TokenChangesParts } from './token-changes.js';

export function createStoredCards(parts: TokenChangesParts): StoredCards {
  return {
    storeFromTerminal: (context: RequestContext, request: StoreCardRequest) =>
      tokenizeAtTerminal(parts, context, request),
    update: (context: RequestContext, tokenId: string, change: TokenUpdateRequest) =>
      updateStoredCard(parts, context, tokenId, change),
    remove: (context: RequestContext, tokenId: string) => removeStoredCard(parts, context, tokenId),
    find: (merchantId, transactionId) => parts.facts.find(merchantId, transactionId),
    detailsOf: (payment) => parts.facts.ofPayment(payment),
  };
}
