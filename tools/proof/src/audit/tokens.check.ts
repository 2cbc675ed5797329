import type { TransactionResult } from '@tillstream/contracts';
import type { Token } from '@tillstream/domain';
import { transactionIn } from '../support/api.client.js';
import {
  errorIn,
  operationIdIn,
  type ClientRequest,
  type ClientResponse,
} from '../support/client.request.js';
import { isUnresolved } from './histories.js';

export interface TokenEvidence {
  readonly tokens: readonly Token[];
  readonly requests: readonly ClientRequest[];
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
    if (!byReference.has(reference)) complaints.push(`${id} has no request`);
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
  const begun = token?.operations[0]?.id;
  if (named !== undefined && named !== begun)
    return [`${key}: answered with ${named}, which is not what was begun: ${begun}`];
  const transaction = transactionIn(response);
  if (transaction) {
    const fits = isTrue(transaction, token);
    return fits ? [] : [`${key}: answered ${response.text}, and ${token?.id} is ${token?.status}`];
  }
  const isRejected =
    named !== undefined && response.status === 500 && errorIn(response)?.status === 'Rejected';
  return isRejected && token && isStored(token)
    ? [`${key}: answered that nothing happened, but ${token.id} is stored`]
    : [];
}

const isStored = ({ status }: Token): boolean => status === 'Active' || status === 'Removed';

/** An approved transaction names the stored card; any other says that no card is stored. */
function isTrue(
  { status, transactionResponses: [outcome], paymentMethod }: TransactionResult,
  token: Token | undefined,
): boolean {
  if (status !== 'Completed' || outcome?.responseCode !== 1) return !token || !isStored(token);
  return token !== undefined && isStored(token) && paymentMethod.id === token.id;
}
