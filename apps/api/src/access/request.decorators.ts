import { createParamDecorator, type ExecutionContext } from '@nestjs/common';

import type { Actor, ChangeRequest, RequestContext } from '@tillstream/payments';
import { ApiError } from '../http/api.error.js';
import type { ApiRequest } from '../http/api.request.js';
import { contextOf } from './caller.js';
import { operatorActor } from './operator.actor.js';

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
  const request = requestOf(context);
  const { traceId, keyed } = request;
  const commandId = keyed?.ticket?.commandId;
  return { actor: actorOf(request), traceId, ...(commandId !== undefined && { commandId }) };
});

/** Nest reads this before the pipe validates the body, whose errors win: so an invalid name is thrown after them. */
function actorOf(request: ApiRequest): Actor {
  try {
    return operatorActor(request);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    request.actorError = error;
    return { type: 'Operator', name: '' };
  }
}
