export { giftCardServer } from './http.server.js';
export { GiftCardRepository } from './gift-card.repository.js';
export { LiabilityProjection } from './liability.projection.js';
