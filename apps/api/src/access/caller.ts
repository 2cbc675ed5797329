import type { Merchant } from '@tillstream/domain';
import type { RequestContext } from '@tillstream/payments';
import type { ApiRequest } from '../http/api.request.js';
import type { Caller } from './caller.kinds.js';

/** The merchant that the caller acts for, of whichever kind it is; an operator acts for none. */
function merchantOf(request: ApiRequest): Merchant {
  const merchant = merchantOfCaller(request);
  if (!merchant) throw new Error('the route should admit callers of a merchant only');
  return merchant;
}

export function contextOf(request: ApiRequest): RequestContext {
  const { traceId, keyed } = request;
  const idempotency = keyed?.ticket;
  const merchant = merchantOf(request);
  return { merchant, actor: knownCaller(request).actor, traceId, ...(idempotency && { idempotency }) };
}

/** For the log and for traces: ids without a secret or a person in them; empty where no caller is known (yet). */
export function callerIds(request: ApiRequest): { readonly keyId?: string; readonly merchantId?: string } {
  const keyId = request.caller?.actor.keyId;
  const merchantId = merchantOfCaller(request)?.id;
  return { ...(keyId !== undefined && { keyId }), ...(merchantId !== undefined && { merchantId }) };
}

function merchantOfCaller({ caller }: ApiRequest): Merchant | undefined {
  return caller && 'merchant' in caller ? caller.merchant : undefined;
}

function knownCaller({ caller }: ApiRequest): Caller {
  if (!caller) throw new Error('the route should admit callers with a credential only');
  return caller;
}
