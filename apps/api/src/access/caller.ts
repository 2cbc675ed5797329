import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Actor, ChangeRequest, FormCall, OpenedForm, RequestContext } from '@tillstream/payments';
import { clientAddress, clientNetwork } from '../card-testing/client.network.js';
import type { ApiRequest } from '../http/api.request.js';
import { idempotencyKey } from '../idempotency/idempotency.key.js';

const requestOf = (context: ExecutionContext): ApiRequest => context.switchToHttp().getRequest<ApiRequest>();

/** The `RequestContext` of a merchant's request: its merchant, actor, trace and idempotency ticket. */
export const Context = createParamDecorator((_: unknown, context: ExecutionContext): RequestContext =>
  contextOf(requestOf(context)),
);

/** The operator of a change and its trace. Repeated under the same command, the change does nothing a second time. */
export interface OperatorRequest extends ChangeRequest {
  readonly traceId: string;
  readonly actor: Actor;
}

/** The `OperatorRequest` of an operator's writing request. */
export const Operator = createParamDecorator((_: unknown, context: ExecutionContext): OperatorRequest => {
  const { traceId, keyed, caller, actor = caller?.actor } = requestOf(context);
  if (!actor) throw new Error('the route should admit callers with a credential only');
  const commandId = keyed?.ticket?.commandId;
  return { actor, traceId, ...(commandId !== undefined && { commandId }) };
});

/** A customer's request to a hosted form. */
export interface FormRequest {
  /** The form before the call. */
  readonly opened: OpenedForm;
  readonly call: FormCall;
  /** Of `clientNetwork`. */
  readonly network: string;
}

/** The `FormRequest` of a request with the session id of a form. */
export const Form = createParamDecorator((_: unknown, context: ExecutionContext): FormRequest => {
  const request = requestOf(context);
  const { caller, traceId } = request;
  if (caller?.kind !== 'FormSession') throw new Error('the route should admit sessions of forms only');
  const { key } = idempotencyKey(request);
  const call = { traceId, client: clientOf(request), ...(key !== undefined && { key }) };
  return { opened: caller.opened, call, network: clientNetwork(request) };
});

/** An address or user agent that is unknown is left out; a very long user agent is cut. */
function clientOf(request: ApiRequest): NonNullable<FormCall['client']> {
  const ip = clientAddress(request);
  const userAgent = request.headers['user-agent']?.slice(0, LONGEST_USER_AGENT);
  return { ...(ip !== undefined && { ip }), ...(userAgent !== undefined && { userAgent }) };
}

const LONGEST_USER_AGENT = 500;

/** A merchant's caller is of any kind that acts for one; an operator acts for none. */
export function contextOf({ caller, traceId, keyed }: ApiRequest): RequestContext {
  if (!caller || !('merchant' in caller))
    throw new Error('the route should admit callers of a merchant only');
  const { merchant, actor } = caller;
  const idempotency = keyed?.ticket;
  return { merchant, actor, traceId, ...(idempotency && { idempotency }) };
}

/** For the log and for traces: ids without a secret or a person in them; empty where no caller is known (yet). */
export function callerIds({ caller }: ApiRequest): { readonly keyId?: string; readonly merchantId?: string } {
  const keyId = caller?.actor.keyId;
  const { merchant } = caller && 'merchant' in caller ? caller : (openedForm(caller) ?? {});
  return { ...(keyId !== undefined && { keyId }), ...(merchant && { merchantId: merchant.id }) };
}

const openedForm = (caller: ApiRequest['caller']): OpenedForm | undefined =>
  caller?.kind === 'FormSession' ? caller.opened : undefined;
