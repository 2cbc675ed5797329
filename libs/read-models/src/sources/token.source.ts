import { evolveToken, noToken, TOKEN_CATEGORY, tokenCodec, type TokenState } from '@tillstream/domain';
import { checkKnown, decoded, type StreamSource } from '../projections/row.projection.js';

export const tokenSource: StreamSource<TokenState> = {
  category: TOKEN_CATEGORY,
  initial: noToken,
  check: (recorded) => checkKnown(tokenCodec, recorded),
  evolve: (state, recorded) => evolveToken(state, decoded(tokenCodec, recorded)),
};
