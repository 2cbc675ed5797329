import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { errorMessage } from '@tillstream/runtime';
import { setActor } from '../access/operator.actor.js';
import { TurnGuard } from '../access/turn.guard.js';
import { prefersCsv } from '../csv/csv.response.js';
import { fingerprintOf, idempotencyKey } from '../idempotency/idempotency.key.js';
import { KeyedResponses } from '../idempotency/keyed.responses.js';
import { StoredResponses } from '../idempotency/stored.responses.js';
import { ApiError, invalidFields } from './api.error.js';
import { isReading, type ApiRequest, type ApiResponse, type KeyedRequest } from './api.request.js';
import { endpointOf, type OperationOptions } from './endpoint.decorators.js';
import { RepeatedRequest, type JsonResponse } from './json.response.js';
import { readBody, ReceivedBody } from './received.body.js';
import { QUERY_NONE, queryParameters, ReceivedQuery } from './received.query.js';

/**
 * Receives each request to a controller with `StrictRequests`, after `CallerGuard` has authenticated its caller. A request
 * whose `Idempotency-Key` has a response does not reach the controller.
 *
 * Nest runs the guards, then `RequestPipe`, then the controller's method. The errors of the body win over those of the
 * headers (`docs/spec/errors.md#which-answer-wins`): the key is looked up here, but an error of it is thrown by `whenValid`,
 * which the pipe calls after the validation. A replay needs no validation, for its body is the one that was valid before.
 *
 * It is no interceptor: Nest runs a request with an interceptor in a chain of ten Observables, which is 8 % of the main
 * thread's time for a sale with a stored card (docs/adr/0030-speed-measures-that-stay.md).
 */
@Injectable()
export class RequestGuard implements CanActivate {
  constructor(
    private readonly stored: StoredResponses,
    private readonly responses: KeyedResponses,
    private readonly turns: TurnGuard,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const { isStrict, hasQuery, csvColumns, operation } = endpointOf(context);
    if (!isStrict) return true;
    const request = context.switchToHttp().getRequest<ApiRequest>();
    const response = context.switchToHttp().getResponse<ApiResponse>();
    const refused = this.turns.enter(request, response);
    if (refused) return refused;
    if (!isReading(request)) return this.receive(request, operation);
    if (csvColumns) {
      response.vary('Accept');
      if (prefersCsv(request)) request.csvColumns = csvColumns;
    }
    receiveQuery(request, hasQuery);
    return this.turns.start(request)?.then(() => true) ?? true;
  }

  /** @throws RepeatedRequest with the response to send */
  private async receive(request: ApiRequest, operation: OperationOptions | undefined): Promise<true> {
    const bytes = await readBody(request);
    await this.turns.start(request);
    const queryErrors = queryParameters(request, QUERY_NONE).errors;
    const { key, error: keyError } = idempotencyKey(request);
    const headerError = keyError ?? setActor(request);
    let laterError: Error | undefined = headerError && invalidFields([headerError]);
    const owner = request.caller?.idempotencyOwner;
    if (key !== undefined && owner !== undefined && !laterError && queryErrors.length === 0) {
      request.keyed = { owner, key, fingerprint: fingerprintOf(request, bytes) };
      let response: JsonResponse | undefined;
      try {
        response = await this.earlierResponse(request, request.keyed, operation);
      } catch (error) {
        laterError = error instanceof ApiError ? error : failedLookUp(error);
      }
      if (response) throw new RepeatedRequest(response);
    }
    request.body = new ReceivedBody(bytes, request.headers, queryErrors, async () => {
      if (laterError) throw laterError;
      if (!operation) await this.reserve(request);
      request.mayHaveStored = true;
    });
    request.responder = this.responses.responder(request, operation);
    return true;
  }

  /** Undefined, with the ticket of the request, if its key is free. */
  private async earlierResponse(
    request: ApiRequest,
    keyed: KeyedRequest,
    operation: OperationOptions | undefined,
  ): Promise<JsonResponse | undefined> {
    const lookup = await this.stored.lookUp(keyed);
    if (lookup.kind !== 'New') return this.responses.ofRepeat(request, keyed, lookup, operation);
    keyed.ticket = lookup.ticket;
    return undefined;
  }

  private async reserve({ keyed }: ApiRequest): Promise<void> {
    if (!keyed?.ticket) return;
    await this.stored.reserve(keyed.owner, keyed.ticket);
    keyed.isReserved = true;
  }
}

/** A method without `@Query()` takes no parameters. */
function receiveQuery(request: ApiRequest, hasQuery: boolean): void {
  if (hasQuery) {
    const merchantId = request.caller && 'merchant' in request.caller ? request.caller.merchant.id : '';
    const id = Object.values(request.params).join(' ');
    // Express computes `query` from the URL by a getter of its prototype.
    Object.defineProperty(request, 'query', { value: new ReceivedQuery(request, merchantId, id) });
    return;
  }
  const { errors } = queryParameters(request, QUERY_NONE);
  if (errors.length > 0) throw invalidFields(errors);
}

/** Hides the kind of the error: after it nothing may say that no earlier request stored anything. */
function failedLookUp(cause: unknown): Error {
  const reason = errorMessage(cause);
  return new Error(`the Idempotency-Key could not be looked up: ${reason}`, { cause });
}
