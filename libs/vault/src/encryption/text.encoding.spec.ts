import { encodeCardBlock, decodeCardBlock } from './text.encoding.js';

describe('A card', () => {
  it.each(['', '4', '4761739001010119', '9'.repeat(254)])(
    'of any length has a ciphertext of one size: %s',
    (card) => {
      expect(encodeCardBlock(card)).toHaveLength(256);
      expect(decodeCardBlock(encodeCardBlock(card))).toBe(card);
    },
  );
});
