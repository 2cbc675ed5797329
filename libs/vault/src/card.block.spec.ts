import { cardBlock, cardOfBlock } from './card.block.js';

describe('A card', () => {
  it.each(['', '4', '4761739001010119', '9'.repeat(254)])(
    'of any length has a ciphertext of one size: %s',
    (card) => {
      expect(cardBlock(card)).toHaveLength(256);
      expect(cardOfBlock(cardBlock(card))).toBe(card);
    },
  );
});
