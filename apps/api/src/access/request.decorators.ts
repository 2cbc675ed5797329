import { createParamDecorator, type ExecutionContext } from '@nestjs/common';

import type { Actor, ChangeRequest, RequestContext } from '@tillstream/payments';
import type { ApiRequest } from '../http/api.request.js';
import { contextOf } from './caller.js';

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
