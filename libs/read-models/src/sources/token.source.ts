import { evolveToken, noToken, TOKEN_CATEGORY, tokenCodec, type TokenState } from '@tillstream/domain';
import { checkKnownEvent, decodeEvent, type StreamSource } from '../projections/row.projection.js';

export const tokenSource: StreamSource<TokenState> = {
  category: TOKEN_CATEGORY,
  initial: noToken,
  check: (recorded) => checkKnownEvent(tokenCodec, recorded),
  evolve: (state, recorded) => evolveToken(state, decodeEvent(tokenCodec, recorded)),
};
