import { parseOperationId, parseTokenRoot } from '../shared/ids.js';

export const TOKEN_CATEGORY = 'token';

export function tokenStream(root: string): string {
  return `${TOKEN_CATEGORY}-${root}`;
}

/** Undefined where the text is no `pmt_tkn_` id of ours. */
export function streamOfToken(tokenId: string): string | undefined {
  const root = parseTokenRoot(tokenId);
  return root === undefined ? undefined : tokenStream(root);
}

/** Undefined where the text is no id of a token's operation. */
export function streamOfTokenOperation(text: string): string | undefined {
  const address = parseOperationId(text);
  return address?.category === 'token' ? tokenStream(address.root) : undefined;
}
