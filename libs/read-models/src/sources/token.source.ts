import { TOKEN_CATEGORY, evolveToken, noToken, tokenCodec, type TokenState } from '@tillstream/domain';
import { streamSource, type StreamSource } from '../projections/row.projection.js';

export const tokenSource: StreamSource<TokenState> = streamSource(
  TOKEN_CATEGORY,
  noToken,
  tokenCodec,
  evolveToken,
);
