import { parseOperationId, parseTokenRoot } from '../shared/ids.js';

export const TOKEN_CATEGORY = 'token';

export function tokenStream(root: string): string {
  return `${TOKEN_CATEGORY}-${root}`;
}

/** Undefined if the text is not a `pmt_tkn_` id of this service. */
export function streamOfToken(tokenId: string): string | undefined {
  const root = parseTokenRoot(tokenId);
  return root === undefined ? undefined : tokenStream(root);
}

/** Undefined if the text is not the id of a token's operation. */
export function streamOfTokenOperation(text: string): string | undefined {
  const address = parseOperationId(text);
  return address?.category === 'token' ? tokenStream(address.root) : undefined;
}
