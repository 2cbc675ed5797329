import type { Token } from '@tillstream/domain';
import { namedOperation, saidError, saidTransaction, type Asked, type Heard } from './asked.js';
import { isOpen } from './histories.js';

export interface TokenEvidence {
  /** Of every token that was ever asked for. */
  readonly tokens: readonly Token[];
  readonly asked: readonly Asked[];
  /** Whether the vault's file holds anything of a token. */
  isKept(tokenId: string): boolean;
}

/**
 * Each card that somebody was told is stored is stored once and can be opened; one that came to nothing has nothing in
 * the vault; none is on its way for ever; none was asked for by nobody.
 */
export function wrongTokens({ tokens, asked, isKept }: TokenEvidence): string[] {
  const complaints: string[] = [];
  const requests = new Map(
    asked.filter(({ kind }) => kind === 'StoreCard').map((one) => [one.body.referenceId, one]),
  );
  const begun = new Map<string, Token>();
  for (const token of tokens) {
    const { id, status, operations } = token;
    for (const one of operations.filter(isOpen))
      complaints.push(`${one.id} (${one.kind}) of ${id} has no outcome: ${one.progress.status}`);
    const reference = operations[0]?.referenceId ?? '';
    if (!requests.has(reference)) complaints.push(`${id} was asked for by nobody`);
    const first = begun.get(reference);
    if (first) complaints.push(`${first.id} and ${id} are one request, begun twice`);
    begun.set(reference, token);
    if (isKept(id) !== (status === 'Active'))
      complaints.push(
        `${id} is ${status}, and the vault holds ${isKept(id) ? 'something' : 'nothing'} of it`,
      );
  }
  for (const [reference, { key, heard }] of requests) {
    for (const one of heard) complaints.push(...wrongAnswer(key, one, begun.get(reference)));
  }
  return complaints;
}

function wrongAnswer(key: string, heard: Heard, token: Token | undefined): string[] {
  const named = namedOperation(heard);
  if (named !== undefined && named !== token?.operations[0]?.id)
    return [`${key}: answered with ${named}, which is not what was begun: ${token?.operations[0]?.id}`];
  const said = saidTransaction(heard);
  const isStored = token?.status === 'Active' || token?.status === 'Removed';
  if (said) {
    const approved = said.status === 'Completed' && said.transactionResponses[0]?.responseCode === 1;
    const same = !approved || said.paymentMethod?.id === token?.id;
    return approved === isStored && same
      ? []
      : [`${key}: told ${heard.text}, and ${token?.id} is ${token?.status}`];
  }
  const rejected = heard.status === 500 && named !== undefined && saidError(heard)?.status === 'Rejected';
  return rejected && isStored ? [`${key}: told that nothing happened, but ${token.id} is stored`] : [];
}
