import type { RequestContext } from './request.types.js';
import type { StoreCardRequest, StoredCards, TokenChange } from './stored-card.types.js';
import { storeFromTerminal } from './storing.js';
import { removeStoredCard, updateStoredCard, type TokenChangeParts } from './token.change.js';

export function storedCards(parts: TokenChangeParts): StoredCards {
  return {
    storeFromTerminal: (context: RequestContext, request: StoreCardRequest) =>
      storeFromTerminal(parts, context, request),
    update: (context: RequestContext, tokenId: string, change: TokenChange) =>
      updateStoredCard(parts, context, tokenId, change),
    remove: (context: RequestContext, tokenId: string) => removeStoredCard(parts, context, tokenId),
    find: (merchantId, transactionId) => parts.facts.find(merchantId, transactionId),
    factsOf: (payment) => parts.facts.ofPayment(payment),
  };
}
