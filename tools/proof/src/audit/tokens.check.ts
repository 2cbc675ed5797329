import type { Token } from '@tillstream/domain';
import {
  operationIdIn,
  errorIn,
  transactionIn,
  type ClientRequest,
  type ClientResponse,
} from '../support/client.request.js';
import { isUnresolved } from './histories.js';

export interface TokenEvidence {
  /** All tokens that the events have. */
  readonly tokens: readonly Token[];
  readonly requests: readonly ClientRequest[];
  /** Whether the vault's file holds anything of a token. */
  isKept(tokenId: string): boolean;
}

/**
 * Each card that a response calls stored is stored once and in the vault; a card that failed leaves nothing in the
 * vault; each operation has an outcome and a request.
 */
export function tokenErrors({ tokens, requests, isKept }: TokenEvidence): string[] {
  const complaints: string[] = [];
  const byReference = new Map(
    requests.filter(({ kind }) => kind === 'StoreCard').map((one) => [one.body.referenceId, one]),
  );
  const started = new Map<string, Token>();
  for (const token of tokens) {
    const { id, status, operations } = token;
    for (const one of operations.filter(isUnresolved))
      complaints.push(`${one.id} (${one.kind}) of ${id} has no outcome: ${one.progress.status}`);
    const reference = operations[0]?.referenceId ?? '';
    if (!byReference.has(reference)) complaints.push(`${id} was asked for by nobody`);
    const first = started.get(reference);
    if (first) complaints.push(`${first.id} and ${id} are one request, begun twice`);
    started.set(reference, token);
    if (isKept(id) !== (status === 'Active'))
      complaints.push(
        `${id} is ${status}, and the vault holds ${isKept(id) ? 'something' : 'nothing'} of it`,
      );
  }
  for (const [reference, { key, responses }] of byReference) {
    for (const one of responses) complaints.push(...responseError(key, one, started.get(reference)));
  }
  return complaints;
}

function responseError(key: string, response: ClientResponse, token: Token | undefined): string[] {
  const named = operationIdIn(response);
  if (named !== undefined && named !== token?.operations[0]?.id)
    return [`${key}: answered with ${named}, which is not what was begun: ${token?.operations[0]?.id}`];
  const transaction = transactionIn(response);
  const isStored = token?.status === 'Active' || token?.status === 'Removed';
  if (transaction) {
    const approved =
      transaction.status === 'Completed' && transaction.transactionResponses[0]?.responseCode === 1;
    const same = !approved || transaction.paymentMethod?.id === token?.id;
    return approved === isStored && same
      ? []
      : [`${key}: told ${response.text}, and ${token?.id} is ${token?.status}`];
  }
  const rejected = response.status === 500 && named !== undefined && errorIn(response)?.status === 'Rejected';
  return rejected && isStored ? [`${key}: told that nothing happened, but ${token.id} is stored`] : [];
}
