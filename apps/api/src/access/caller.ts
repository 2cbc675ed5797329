import type { Merchant } from '@tillstream/domain';
import type { Actor, RequestContext } from '@tillstream/payments';
import type { ApiRequest } from '../http/api.request.js';

/** Behind the guard of a merchant's path there always is one. */
export function merchantOf({ caller }: ApiRequest): Merchant {
  if (caller?.kind !== 'Merchant') throw new Error('this path is for merchants only');
  return caller.merchant;
}

export function contextOf(request: ApiRequest): RequestContext {
  const merchant = merchantOf(request);
  return { merchant, actor: actorOf(request), traceId: request.traceId };
}

function actorOf({ caller }: ApiRequest): Actor {
  if (!caller) throw new Error('this path is for callers with a key only');
  const type = caller.kind === 'Merchant' ? 'ApiKey' : 'Operator';
  return { type, name: caller.keyName, keyId: caller.keyId };
}
